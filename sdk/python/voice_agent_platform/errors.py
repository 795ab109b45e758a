"""Errors that requests raise. The API has two formats of error bodies, and campaign create has a third with the faults of the file."""

from __future__ import annotations

from typing import Any, cast

from .generated import CampaignError, InputFault


class ApiError(Exception):
    """The API rejected the request. Branch on `code` (`generated.ErrorCode`, or `HTTP_<status>` from a proxy); the text is for people."""

    def __init__(self, status: int, code: str, message: str, request_id: str | None, body: Any) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        # Quote it when you ask the operator.
        self.request_id = request_id
        # Parsed if it is JSON, otherwise text.
        self.body = body


class InputError(ApiError):
    """Fields of the request are invalid."""

    def __init__(self, faults: list[InputFault], status: int, request_id: str | None, body: Any) -> None:
        text = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
        super().__init__(status, "VALIDATION_ERROR", text, request_id, body)
        self.faults = faults


class CampaignRefused(ApiError):
    """A campaign was rejected. `answer["details"]` has the faults of its fields, or of the first 100 rows of its file."""

    def __init__(self, answer: CampaignError, request_id: str | None) -> None:
        super().__init__(answer["status_code"], answer["code"], answer["message"], request_id, answer)
        self.answer = answer


class ConnectionFailed(Exception):
    """There was no response, so it is unknown whether the request was carried out."""


def error_of(status: int, request_id: str | None, body: Any) -> ApiError:
    if isinstance(body, dict):
        if "status_code" in body and "code" in body:
            return CampaignRefused(cast(CampaignError, body), request_id)
        detail = body.get("detail")
        if isinstance(detail, list):
            return InputError(detail, status, request_id, body)
        if isinstance(detail, dict) and "code" in detail:
            return ApiError(status, detail["code"], str(detail.get("message")), request_id, body)
    return ApiError(status, f"HTTP_{status}", f"The response had the status {status}", request_id, body)
