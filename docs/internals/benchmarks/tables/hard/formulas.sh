assay gen formula --variables 30 --clauses 180 --seed 1 | assay check -m sc -
assay gen formula --variables 30 --clauses 180 --seed 1 | assay check -m sc -e sat -
assay gen formula --variables 40 --clauses 240 --seed 1 | assay check -m sc -
assay gen formula --variables 40 --clauses 240 --seed 1 | assay check -m sc -e sat -
assay gen formula --variables 100 --clauses 600 --seed 1 | assay check -m sc -
assay gen formula --variables 100 --clauses 600 --seed 1 | assay check -m sc -e sat -
assay gen formula --satisfiable 20 --seed 1 | assay check -m sc -
assay gen formula --satisfiable 20 --seed 1 | assay check -m sc -e sat -
assay gen formula --satisfiable 60 --seed 1 | assay check -m sc -
assay gen formula --satisfiable 60 --seed 1 | assay check -m sc -e sat -
assay gen formula --variables 30 --clauses 180 --seed 1 | assay check -m pso -
assay gen formula --variables 30 --clauses 180 --seed 1 | assay check -m pso -e sat -
assay gen formula --variables 100 --clauses 600 --seed 1 | assay check -m pso -
assay gen formula --variables 100 --clauses 600 --seed 1 | assay check -m pso -e sat -
assay gen formula --satisfiable 60 --seed 1 | assay check -m pso -
assay gen formula --satisfiable 60 --seed 1 | assay check -m pso -e sat -
