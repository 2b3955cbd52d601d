assay gen transactions --sessions 25 --transactions 3809 --keys 10000 --seed 1 | assay check -m ser -
assay gen transactions --sessions 25 --transactions 15264 --keys 10000 --seed 1 | assay check -m ser -
assay gen transactions --sessions 25 --transactions 100000 --keys 10000 --seed 1 | assay check -m ser -
assay gen transactions --store si --sessions 25 --transactions 10000 --keys 10000 --seed 1 | assay check -m si -
assay gen transactions --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m ser -
assay gen transactions --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m si -
assay gen transactions --store si --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m si -
assay gen transactions --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m pc -
assay gen transactions --sessions 10 --transactions 125000 --keys 1000 --seed 1 | assay check -m psi -
assay gen transactions --store si --sessions 10 --transactions 20000 --keys 1000 --seed 1 | assay check -m ser -
