"""A key of its own for each request: the same key with another body is refused, as it has to be."""

import uuid

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.headers and "Idempotency-Key" in case.headers and case.meta.generation.mode.is_positive:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
