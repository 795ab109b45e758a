"""What a generator of requests has to know beside the document."""

import uuid

import schemathesis

# The document describes free JSON three levels deep (api/http/openapi/storable.ts), while the service checks all 32. A recursive schema
# kept the coverage phase busy for more than three minutes of CPU time. Therefore the hook skips cases that differ only below the described
# levels.
DESCRIBED_LEVELS = 3
# No schema can say that the service rejects integers that lose digits in a double.
LARGEST_SAFE_INTEGER = 2**53 - 1
UNSAFE_KEYS = ("__proto__", "constructor", "prototype")


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key of its own for each request: the same key with another body is refused, as it has to be."""
    if case.headers and "Idempotency-Key" in case.headers and case.meta.generation.mode.is_positive:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.hook
def filter_case(context, case):
    """Only cases that have to be accepted: one that has to be refused is sent whatever it holds."""
    return not case.meta.generation.mode.is_positive or not (is_refused_below(case.body, 0) or is_of_an_agent(case.body))


def is_of_an_agent(body):
    """Whether a dispatch names its caller ID: an agent that earlier cases gave numbers takes only these, which no schema says."""
    return isinstance(body, dict) and body.get("outbound_number") is not None


def is_refused_below(value, level):
    """Whether it holds a large integer, or a NUL or an unsafe key deeper than the document describes."""
    if isinstance(value, int):
        return abs(value) > LARGEST_SAFE_INTEGER
    if isinstance(value, str):
        return level > DESCRIBED_LEVELS and "\0" in value
    if isinstance(value, list):
        return any(is_refused_below(entry, level + 1) for entry in value)
    if isinstance(value, dict):
        return any(
            level >= DESCRIBED_LEVELS and key in UNSAFE_KEYS
            or is_refused_below(key, level + 1)
            or is_refused_below(entry, level + 1)
            for key, entry in value.items()
        )
    return False
