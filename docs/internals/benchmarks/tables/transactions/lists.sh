assay gen transactions --data lists --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m rc -
assay gen transactions --data lists --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m ra -
assay gen transactions --data lists --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m tcc -
assay gen transactions --data lists --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m pc -
assay gen transactions --data lists --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m psi -
assay gen transactions --data lists --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m si -
assay gen transactions --data lists --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m ser -
