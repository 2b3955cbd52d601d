assay gen memory --kind sc --threads 2 --operations 400 --variables 1 --values 2 --shuffle --seed 1 | assay check -m sc -
assay gen memory --kind sc --threads 2 --operations 400 --variables 1 --values 2 --shuffle --seed 1 | assay check -m sc -e sat -
assay gen memory --kind sc --operations 5000 --variables 1 --values 2 --shuffle --seed 1 | assay check -m sc -
assay gen memory --kind sc --operations 5000 --variables 1 --values 2 --shuffle --seed 1 | assay check -m sc -e sat -
assay gen memory --kind sc --operations 400 --variables 3 --values 2 --shuffle --seed 1 | assay check -m sc -
assay gen memory --kind sc --operations 400 --variables 3 --values 2 --shuffle --seed 1 | assay check -m sc -e sat -
assay gen memory --kind sc --operations 300 --variables 3 --values 2 --shuffle --seed 1 | assay check -m ccv -
assay gen memory --kind sc --operations 300 --variables 3 --values 2 --shuffle --seed 1 | assay check -m ccv -e sat -
assay gen memory --kind sc --threads 8 --operations 100000 --values 2 --seed 1 | assay check -m sc -
