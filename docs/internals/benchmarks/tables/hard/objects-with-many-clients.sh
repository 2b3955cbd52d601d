assay gen object --object append-map --threads 50 --operations 10000 --observers 50 --mutate 20 --distance 0 --seed 1 | assay check -m lin -
assay gen object --object append-map --threads 50 --operations 10000 --values 1 --distinct --observers 50 --seed 1 | assay check -m lin -
assay gen object --object append-map --threads 50 --operations 10000 --values 1 --distinct --observers 50 --mutate 1 --distance 0 --seed 1 | assay check -m lin -
assay gen object --object append-map --threads 50 --operations 10000 --distinct --observers 50 --seed 1 | assay check -m lin -
assay gen object --object append-map --threads 50 --operations 10000 --distinct --observers 50 --mutate 1 --distance 0 --seed 1 | assay check -m lin -
assay gen object --object cas-register --threads 50 --operations 10000 --values 5 --observers 33 --seed 1 | assay check -m lin -
assay gen object --object cas-register --threads 50 --operations 10000 --values 100 --observers 33 --seed 1 | assay check -m lin -
assay gen object --object cas-register --threads 50 --operations 10000 --values 100 --observers 33 --mutate 1 --distance 0 --seed 1 | assay check -m lin -
assay gen object --object counter --methods inc,get --threads 20 --operations 10000 --silent --seed 1 | assay check -m lin -
assay gen object --object counter --methods inc,get --threads 50 --operations 10000 --silent --seed 1 | assay check -m lin -
assay gen object --object deque --threads 5 --operations 1000 --distinct --observers 0 --size 100 --seed 1 | assay check -m lin -
assay gen object --object deque --threads 5 --operations 1000 --distinct --observers 0 --size 100 --mutate 1 --distance 0 --seed 1 | assay check -m lin -
assay gen object --object deque --threads 5 --operations 1000 --seed 1 | assay check -m lin -
assay gen object --object deque --threads 5 --operations 1000 --mutate 1 --distance 0 --seed 1 | assay check -m lin -
