"""The import: fast, light, and clear where the library is missing."""
import os
import subprocess
import sys

import gprgnn


def run(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, **environment})


def test_import_is_light():
    found = run("import sys, numpy; before = set(sys.modules); import gprgnn; print(*sorted("
                "{name.split('.')[0] for name in set(sys.modules) - before}))")
    assert found.returncode == 0, found.stderr
    heavy = {"sklearn", "scipy", "pandas", "networkx", "igraph", "torch", "torch_geometric", "tqdm", "joblib",
             "matplotlib"}
    assert not heavy & set(found.stdout.split())


def test_import_is_fast():
    """Beside numpy, which the user imports anyway. CPU time of the fastest of three: other programs run here too."""
    code = "import numpy, time; start = time.process_time(); import gprgnn; print(time.process_time() - start)"
    assert min(float(run(code).stdout) for _ in range(3)) < 0.2


def test_missing_library(tmp_path):
    found = run("import gprgnn", GPRGNN_LIBRARY=str(tmp_path / "nowhere.so"))
    assert "ImportError: gprgnn: cannot open its C library" in found.stderr
    assert str(tmp_path / "nowhere.so") in found.stderr and "GPRGNN_LIBRARY" in found.stderr


def test_other_library():
    """Another library is not taken for ours."""
    import numpy.linalg

    found = run("import gprgnn", GPRGNN_LIBRARY=numpy.linalg._umath_linalg.__file__)
    assert "ImportError: gprgnn: cannot open its C library" in found.stderr and "older version" in found.stderr


def test_other_version():
    code = "import gprgnn._header as h\nh.GPR_VERSION_STRING = '9.9.9'\nimport gprgnn._library"
    found = run(f"import sys, types\npackage = types.ModuleType('gprgnn')\npackage.__path__ = {gprgnn.__path__!r}\n"
                f"sys.modules['gprgnn'] = package\n{code}")
    assert f"it is version {gprgnn.__version__}, and this package needs 9.9.9" in found.stderr
