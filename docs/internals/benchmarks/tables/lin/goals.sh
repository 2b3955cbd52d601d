assay gen object --object cas-register --threads 5 --operations 84 --values 5 --observers 33 --seed 1 --count 102 | assay check -m lin -
assay gen object --object append-map --threads 50 --operations 1712 --observers 50 --seed 1 | assay check -m lin -
assay gen object --object set --operations 280000 --values 24 --observers 34 --seed 1 | assay check -m lin -
assay gen object --object set --operations 280000 --values 24 --observers 34 --mutate 1 --distance 0 --seed 1 | assay check -m lin -
assay gen object --object queue --threads 12 --operations 1000000 --distinct --observers 0 --seed 1 | assay check -m lin -
assay gen object --object queue --threads 12 --operations 1000000 --distinct --observers 0 --size 0 --seed 1 | assay check -m lin -
assay gen object --object queue --threads 12 --operations 1000000 --distinct --observers 0 --pending 6 --seed 1 | assay check -m lin -
assay gen object --object stack --threads 12 --operations 100000 --distinct --observers 0 --seed 1 | assay check -m lin -
assay gen object --object stack --threads 12 --operations 1000000 --distinct --observers 0 --seed 1 | assay check -m lin -
assay gen object --object stack --threads 12 --operations 1000000 --distinct --observers 0 --size 0 --seed 1 | assay check -m lin -
assay gen object --object queue --threads 8 --operations 1000 --distinct --observers 0 --seed 1 | assay check -m lin -
assay gen object --object stack --threads 8 --operations 1000 --distinct --observers 0 --seed 1 | assay check -m lin -
