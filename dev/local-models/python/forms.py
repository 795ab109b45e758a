"""Reads a multipart form, in which OpenAI's clients send audio files."""

from email.parser import BytesParser
from email.policy import HTTP


class BadForm(ValueError):
    """The body doesn't match its content type."""


def read_form(content_type: str, body: bytes) -> tuple[dict[str, str], dict[str, bytes]]:
    """Returns fields and files by name. The last one wins if a name is repeated."""
    if not content_type.lower().startswith("multipart/form-data"):
        raise BadForm("The body must be multipart/form-data.")
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    if not message.is_multipart():
        raise BadForm("The form has no boundary, or no part.")
    fields: dict[str, str] = {}
    files: dict[str, bytes] = {}
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        if not isinstance(name, str):
            continue
        content = part.get_payload(decode=True) or b""
        if part.get_filename() is None:
            fields[name] = content.decode("utf-8", "replace")
        else:
            files[name] = content
    return fields, files
