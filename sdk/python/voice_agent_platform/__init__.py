"""Client of the voice agent platform. It has no dependencies."""

from .captions import captions
from .client import Client
from .errors import ApiError, CampaignRefused, ConnectionFailed, InputError
from .retries import Retries
from .verify_webhook import verify_webhook

__all__ = [
    "ApiError",
    "CampaignRefused",
    "Client",
    "ConnectionFailed",
    "InputError",
    "Retries",
    "captions",
    "verify_webhook",
]
