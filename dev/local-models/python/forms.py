"""Reads a multipart form: what OpenAI's clients send an audio file in."""

from email.parser import BytesParser
from email.policy import HTTP


class BadForm(ValueError):
    """The body is not the form that its content type announces."""


def read_form(content_type: str, body: bytes) -> tuple[dict[str, str], dict[str, bytes]]:
    """The fields and the files by their names; the last of a name counts."""
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
