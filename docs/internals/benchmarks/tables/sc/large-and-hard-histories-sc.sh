assay gen memory --kind sc --threads 16 --operations 64000 --variables 16 --seed 1 | assay check -m sc -e auto -
assay gen memory --kind sc --threads 16 --operations 64000 --variables 16 --shuffle --seed 1 | assay check -m sc -e auto -
assay gen memory --kind sc --threads 64 --operations 16000 --variables 16 --seed 1 | assay check -m sc -e auto -
assay gen memory --kind sc --threads 64 --operations 16000 --variables 16 --shuffle --seed 1 | assay check -m sc -e auto -
assay gen memory --kind sc --operations 1000000 --variables 4 --seed 1 | assay check -m sc -e auto -
assay gen memory --kind sc --operations 1000000 --variables 4 --shuffle --seed 1 | assay check -m sc -e auto -
assay gen memory --kind sc --threads 16 --operations 64000 --variables 16 --mutate 100 --seed 1 | assay check -m sc -e auto -
assay gen memory --kind sc --threads 16 --operations 64000 --variables 16 --mutate 100 --shuffle --seed 1 | assay check -m sc -e auto -
assay gen memory --kind sc --threads 16 --operations 64000 --variables 16 --mutate 1000 --seed 1 | assay check -m sc -e auto -
assay gen memory --kind sc --threads 16 --operations 64000 --variables 16 --mutate 1000 --shuffle --seed 1 | assay check -m sc -e auto -
assay gen memory --kind gadget --threads 8 --operations 800 --variables 16 --seed 1 | assay check -m sc -e auto -
assay gen memory --kind gadget --threads 8 --operations 800 --variables 16 --shuffle --seed 1 | assay check -m sc -e auto -
