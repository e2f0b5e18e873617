"""Models of rows beside gprgnn, with the columns of rival_columns.py. Each chooses its settings by a fifth of the
visible nodes (by time: the newest ones), and is then fitted to all of them."""
import numpy
import scipy.sparse


def parts_of(seen, by_time):
    order = numpy.flatnonzero(seen)
    if not by_time:
        order = numpy.random.default_rng(1).permutation(order)
    cut = len(order) * 4 // 5
    return order[:cut], order[cut:]


def logistic(dense, sparse, classes, fit, judge, seen):
    """C by the log-loss of `judge`. classes: numbers."""
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    scale = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler()).fit(dense[seen])
    table = scipy.sparse.hstack([scipy.sparse.csr_matrix(scale.transform(dense)), sparse]).tocsr()

    def fitted(penalty, rows):
        return LogisticRegression(C=penalty, max_iter=2000).fit(table[rows], classes[rows])

    def loss(penalty):
        model = fitted(penalty, fit)
        return log_loss(classes[judge], model.predict_proba(table[judge]), labels=model.classes_)
    best = min((1.0, 0.1, 0.01), key=loss)
    return fitted(best, seen).predict_proba(table[~seen]), f"C={best:g}"


def xgboost(dense, sparse, classes, fit, judge, seen):
    """Depth and number of trees by the log-loss of `judge`."""
    import xgboost as library
    table = scipy.sparse.hstack([scipy.sparse.csr_matrix(numpy.nan_to_num(dense, nan=-1e9)), sparse]).tocsr() \
        if sparse.shape[1] else dense

    def model(depth, trees, stop):
        return library.XGBClassifier(n_estimators=trees, max_depth=depth, learning_rate=0.05, subsample=0.8,
                                     colsample_bytree=0.5, early_stopping_rounds=stop, eval_metric="mlogloss"
                                     if classes.max() > 1 else "logloss", n_jobs=2, random_state=1)
    found = []
    for depth in (3, 6):
        tried = model(depth, 1000, 50).fit(table[fit], classes[fit], eval_set=[(table[judge], classes[judge])],
                                           verbose=False)
        found.append((tried.best_score, depth, tried.best_iteration + 1))
    _, depth, trees = min(found)
    final = model(depth, trees, None).fit(table[seen], classes[seen])
    return final.predict_proba(table[~seen]), f"depth {depth}, {trees} trees"


RIVALS = {"logistic regression": logistic, "XGBoost": xgboost}


def shares_of(folder, name, by_time):
    """{id: {class: probability}} of the hidden nodes, and the settings that were chosen."""
    import rival_columns
    ids, labels, dense, sparse = rival_columns.table_of(folder)
    names, classes = numpy.unique(labels[labels != ""], return_inverse=True)
    seen = labels != ""
    every = numpy.full(len(labels), -1)
    every[seen] = classes
    made, settings = RIVALS[name](dense, sparse, every, *parts_of(seen, by_time), seen)
    return {i: dict(zip(names, row.tolist())) for i, row in zip(ids[~seen], made)}, settings
