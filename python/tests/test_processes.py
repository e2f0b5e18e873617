"""Threads, processes, pickles, stops."""
import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from gprgnn import GCNClassifier, GPRGNNClassifier, GprgnnWarning, Progress


ONE = {"label_input": "no", "label_counts": "no", "smooth": "no"}  # one training, and no choice among several


def fit(small, **params):
    return GPRGNNClassifier(**{"epochs": 30, "n_jobs": 1, **params}).fit(small.X, small.y, small.A)


def test_pickle(small):
    model = fit(small)
    for copied in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
        assert np.array_equal(copied.predict_proba(small.X, small.A), model.predict_proba())
        assert copied.get_params() == model.get_params()
        assert np.array_equal(copied.history_["val_loss"], model.history_["val_loss"])
        assert np.array_equal(copied.test_mask_, model.test_mask_)
    assert pickle.loads(pickle.dumps(GPRGNNClassifier(K=2))).K == 2
    damaged = bytearray(pickle.dumps(model))
    damaged[damaged.index(b"lin1.weight") + 5] ^= 1
    with pytest.raises(ValueError):
        pickle.loads(bytes(damaged))


def test_pickle_in_another_process(small, tmp_path):
    model = fit(small)
    (tmp_path / "model.pkl").write_bytes(pickle.dumps((model, small.X, small.A)))
    code = ("import pickle, sys; model, X, A = pickle.load(open('model.pkl', 'rb')); "
            "pickle.dump(model.predict_proba(X, A), open('out.pkl', 'wb'))")
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
    assert np.array_equal(pickle.loads((tmp_path / "out.pkl").read_bytes()), model.predict_proba())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_predicts_and_trains(small):
    model = fit(small, n_jobs=2, runs=2)  # its context has threads, which the child has not
    expected = model.predict()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            same = np.array_equal(model.predict(small.X, small.A), expected)
            again = fit(small, n_jobs=2, runs=2)
            code = 0 if same and np.array_equal(again.predict(), expected) else 2
            del model, again
        finally:
            os._exit(code)
    deadline = time.time() + 30
    while time.time() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert status == 0
            return
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


def test_four_threads_at_once(small):
    """Trainings and predictions of one model side by side."""
    shared = fit(small)
    expected, found, failures = shared.predict_proba(), {}, []

    def work(seed):
        try:
            for _ in range(3):
                assert np.array_equal(shared.predict_proba(small.X, small.A), expected)
            found[seed] = fit(small, random_state=seed).predict_proba()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    for seed, proba in found.items():
        assert np.array_equal(fit(small, random_state=seed).predict_proba(), proba)


def test_other_threads_run_meanwhile(small):
    """The GIL is free while the library trains."""
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        GPRGNNClassifier(epochs=300, K=50, hidden=256, n_jobs=1, stopping="none").fit(small.X, small.y, small.A)
        steps = counted[0] - before
    finally:
        stop.set()
        thread.join()
    assert steps > 20  # about 1000 on an idle machine


def test_handles_are_freed(small):
    import gc
    import weakref

    model = fit(small)
    handles = [weakref.ref(handle) for handle in (model._fitted_model(), model._fitted_result(), model._fitted_data())]
    contexts = [weakref.ref(handle().context) for handle in handles]
    del model
    gc.collect()
    assert all(handle() is None for handle in handles) and all(context() is None for context in contexts)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
def test_a_fitted_model_keeps_no_threads(small):
    before = len(os.listdir("/proc/self/task"))
    models = [fit(small, n_jobs=3, runs=3) for _ in range(3)]
    deadline = time.time() + 10  # the thread that made the call may just be ending
    while len(os.listdir("/proc/self/task")) > before and time.time() < deadline:
        time.sleep(0.01)
    assert len(os.listdir("/proc/self/task")) <= before
    assert len(models) == 3


def test_callback_sees_every_epoch(small):
    seen = []
    model = fit(small, callback=seen.append, runs=2)
    assert all(isinstance(at, Progress) for at in seen)
    assert [at.epoch for at in seen if at.run == 0][-1] == 30 and {at.run for at in seen} == {0, 1}
    assert seen[-1].epochs == 30 and 0 <= seen[-1].val_accuracy <= 100
    assert model.best_epoch_ <= 30


def test_callback_stops(small):
    calls = []
    with pytest.warns(GprgnnWarning, match="stopped after 7 epochs"):
        model = fit(small, callback=[lambda at: at.epoch >= 7, calls.append], **ONE)
    assert model.n_iter_ == 7 and model.result_.stopped and len(calls) == 7
    assert model.predict().shape == (small.nodes,)
    short = fit(small, epochs=7, **ONE)
    assert np.array_equal(short.history_["val_loss"], model.history_["val_loss"])


class Unhappy(Exception):
    pass


@pytest.mark.parametrize("runs, threads", [(1, 1), (4, 2)])
def test_exception_in_a_callback(small, runs, threads):
    """It ends the training and is raised by fit; what was learned until then is kept."""

    def callback(at):
        if at.epoch == 5:
            raise Unhappy(at.epoch)

    model = GPRGNNClassifier(epochs=200, callback=callback, runs=runs, n_jobs=threads)
    with pytest.raises(Unhappy) as caught:
        model.fit(small.X, small.y, small.A)
    assert caught.value.args == (5,)
    assert 5 <= model.n_iter_ < 200
    assert model.predict().shape == (small.nodes,)

    def at_once(at):
        raise Unhappy

    model = GCNClassifier(callback=at_once)
    with pytest.raises(Unhappy):
        model.fit(small.X, small.y, small.A)


INTERRUPTED = """
import sys
import numpy as np
from gprgnn import GPRGNNClassifier
random = np.random.RandomState(0)
X, y = random.normal(size=(400, 50)).astype(np.float32), random.randint(0, 3, 400)
edges = random.randint(0, 400, (2, 4000))
def tell(at):
    if at.run == 0 and at.epoch == 3:
        print("now", flush=True)
model = GPRGNNClassifier(epochs=1000000, stopping="none", runs=int(sys.argv[1]), n_jobs=2, callback=tell)
try:
    model.fit(X, y, edges)
except KeyboardInterrupt:
    assert 0 < model.n_iter_ < 1000000 and model.predict().shape == (400,)
    print("interrupted")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("runs", ["1", "3"])
def test_ctrl_c(runs):
    child = subprocess.Popen([sys.executable, "-W", "ignore", "-c", INTERRUPTED, runs], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert child.stdout.readline() == "now\n", child.stderr.read()
        child.send_signal(signal.SIGINT)
        out, errors = child.communicate(timeout=30)
    finally:
        child.kill()
    assert (out, errors, child.returncode) == ("interrupted\n", "", 0)


def test_interrupt_at_the_start():
    """Ctrl-C while the thread of the call is being started: the call ends, and the handler is the one of before."""
    code = """
import signal, threading
import numpy as np
from gprgnn import GPRGNNClassifier
start = threading.Thread.start
def start_and_interrupt(self):
    start(self)
    signal.raise_signal(signal.SIGINT)
threading.Thread.start = start_and_interrupt
before = signal.getsignal(signal.SIGINT)
try:
    GPRGNNClassifier(epochs=1000000, stopping="none", n_jobs=1).fit(np.eye(40), np.arange(40) // 20, graph=None)
except KeyboardInterrupt:
    print(threading.active_count(), signal.getsignal(signal.SIGINT) is before)
"""
    found = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=20)
    assert (found.stdout, found.stderr, found.returncode) == ("1 True\n", "", 0)


def test_exit_with_models_alive():
    """Handles are freed before their contexts, also when the interpreter ends, in cycles too."""
    code = """
import numpy as np
from gprgnn import GPRGNNClassifier
class Holder: pass
holder = Holder()
holder.me = holder
X, y = np.eye(40), np.arange(40) // 20
holder.models = [GPRGNNClassifier(epochs=3, n_jobs=2, runs=2).fit(X, y, graph=None) for _ in range(3)]
"""
    found = subprocess.run([sys.executable, "-X", "faulthandler", "-c", code], capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")


def test_progress_bar(small, capfd):
    fit(small, progress=True)
    shown = capfd.readouterr().err
    assert "%|" in shown or "100 %" in shown  # by tqdm, or without it
