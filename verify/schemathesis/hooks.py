"""Rules for generated requests that the OpenAPI document cannot express."""

import uuid

import schemathesis

# The OpenAPI document describes free JSON three levels deep (api/http/openapi/storable.ts), while the service checks all 32 levels. A
# recursive schema kept the coverage phase busy for more than three minutes of CPU time. The hook therefore skips cases that differ only
# below the described levels.
DESCRIBED_LEVELS = 3
# JSON Schema can't express that the service rejects integers that lose digits in a double.
LARGEST_SAFE_INTEGER = 2**53 - 1
UNSAFE_KEYS = ("__proto__", "constructor", "prototype")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives each request its own key, because the service rejects a key that is reused with another body."""
    if case.headers and "Idempotency-Key" in case.headers and case.meta.generation.mode.is_positive:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.hook
def filter_case(context, case):
    """Skips positive cases that the service rejects for reasons missing from the document."""
    return not case.meta.generation.mode.is_positive or not (is_refused_below(case.body, 0) or is_of_an_agent(case.body))


def is_of_an_agent(body):
    """Whether a dispatch names its caller ID. An agent with its own numbers accepts only these, which no schema can express."""
    return isinstance(body, dict) and body.get("outbound_number") is not None


def is_refused_below(value, level):
    """Whether the value contains a large integer, or a NUL or unsafe key below the described levels."""
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
