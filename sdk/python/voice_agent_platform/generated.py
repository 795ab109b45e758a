"""Made by "npm run pages" from the API's document: not to be edited."""
# ruff: noqa
from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPResponse
from os import PathLike
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, overload

Json: TypeAlias = Any
File: TypeAlias = "PathLike[str] | tuple[str, bytes]"

class Agent(TypedDict):
    """A configurable voice agent"""
    # Identifier of the agent, used as agent_id elsewhere
    id: str
    # Slug, unique within the organization
    agent_name: str
    # Human-readable name
    display_name: str
    # Owning organization
    client_id: str
    # Name of the organization
    client_name: str
    # Published for active use
    published: bool
    # Time of publication
    published_at: str | None
    # Time of the last change to its configuration
    last_edited_at: str
    # Stored deployment section
    deployment_config: dict[str, Json]
    # initialized until the agent has a system prompt, then running. stopped when archived
    status: Literal["initialized", "running", "stopped"]
    # Reserved
    gsheet_config: dict[str, Json] | None
    # True if the agent is archived
    archived: bool


class AgentConfig(TypedDict):
    """Sections of the configuration, all optional"""
    persona: NotRequired[Persona | None]
    training: NotRequired[Training | None]
    experience: NotRequired[Experience | None]
    analysis: NotRequired[Analysis | None]
    deployment: NotRequired[Deployment | None]


class AgentPage(TypedDict):
    data: list[Agent]
    pagination: Pagination


class AgentVersion(TypedDict):
    # Number of the version. Each change increments it
    version: int
    # Time of the change
    created_at: str
    # True if new calls use this version
    current: bool
    # True if any call used this version
    used: bool
    # Sections that differ from the previous version. For the first version, the sections that it sets
    changed: list[Literal["persona", "training", "experience", "analysis", "deployment"]]


class AgentVersionPage(TypedDict):
    data: list[AgentVersion]
    pagination: Pagination


class AgentWithConfig(TypedDict):
    """An agent and its configuration"""
    # Identifier of the agent, used as agent_id elsewhere
    id: str
    # Slug, unique within the organization
    agent_name: str
    # Human-readable name
    display_name: str
    # Owning organization
    client_id: str
    # Name of the organization
    client_name: str
    # Published for active use
    published: bool
    # Time of publication
    published_at: str | None
    # Time of the last change to its configuration
    last_edited_at: str
    # Stored deployment section
    deployment_config: dict[str, Json]
    # initialized until the agent has a system prompt, then running. stopped when archived
    status: Literal["initialized", "running", "stopped"]
    # Reserved
    gsheet_config: dict[str, Json] | None
    # True if the agent is archived
    archived: bool
    config: StoredAgentConfig


class AllPaused(TypedDict):
    paused: int


class AllResumed(TypedDict):
    resumed: int
    # Number of campaigns left paused because their agent may no longer call from its number
    left_paused: int


class AnalysisEvaluationsDispositionsPromptBasedItem(TypedDict):
    """A question about the call as a whole"""
    # Name of the answer
    name: str
    # Type of the answer
    type: Literal["bool", "string", "number"]
    # Question put to the transcript
    prompt: str
    # Allowed answer to its meaning; only of the type `string`
    list_of_tags: NotRequired[dict[str, Json] | None]


class AnalysisEvaluationsDispositions(TypedDict):
    """Business results"""
    # Whether dispositions are decided
    enabled: NotRequired[bool | None]
    # Dispositions of the organisation. By rules: the last yes or no, number or tag said
    prompt_based: NotRequired[list[AnalysisEvaluationsDispositionsPromptBasedItem] | None]
    # Dispositions of the system. Stored only: the interface does not show them
    system_based: NotRequired[list[Json] | None]


class AnalysisEvaluationsConversationEvaluation(TypedDict):
    """Free evaluation"""
    # Whether a score from 0 to 100 is given, with reasons
    enabled: NotRequired[bool | None]
    # What to evaluate. By rules unused: sentiment, interruptions and response times decide
    prompt: NotRequired[str | None]


class AnalysisEvaluations(TypedDict):
    """Judging the call"""
    # Business results
    dispositions: NotRequired[AnalysisEvaluationsDispositions | None]
    # Free evaluation
    conversation_evaluation: NotRequired[AnalysisEvaluationsConversationEvaluation | None]


class AnalysisExtractionDataCollectionDataPointsItem(TypedDict):
    """A fact to take from the conversation"""
    # Key of the fact in call_entity
    name: str
    # Question put to the transcript
    prompt: str
    # The only answers allowed; any text unless set
    values: NotRequired[list[Json] | None]
    # Allow null when nothing is found
    nullable: NotRequired[bool | None]


class AnalysisExtractionDataCollection(TypedDict):
    """Facts"""
    # Whether facts are taken
    enabled: NotRequired[bool | None]
    # The facts. By rules: the value said last, null without `values`
    data_points: NotRequired[list[AnalysisExtractionDataCollectionDataPointsItem] | None]


class AnalysisExtractionCollectConcerns(TypedDict):
    """Concerns of the customer"""
    # Whether concerns are collected, as `concerns` among the facts. By rules: never
    enabled: NotRequired[bool | None]
    # What counts as a concern
    prompt: NotRequired[str | None]


class AnalysisExtraction(TypedDict):
    """Taking facts from the call"""
    # Facts
    data_collection: NotRequired[AnalysisExtractionDataCollection | None]
    # Concerns of the customer
    collect_concerns: NotRequired[AnalysisExtractionCollectConcerns | None]


class Analysis(TypedDict):
    """What is read from a finished call"""
    # Whether people who want no more calls are put on the do-not-disturb list
    do_not_call: NotRequired[bool | None]
    # Judging the call
    evaluations: NotRequired[AnalysisEvaluations | None]
    # Taking facts from the call
    extraction: NotRequired[AnalysisExtraction | None]


class ApiKey(TypedDict):
    """Does not contain the key itself."""
    id: str
    name: str | None
    # First twelve characters of the key
    prefix: str
    # Scopes of the key
    scopes: list[Literal["read", "operate", "configure"]]
    # Id of the key that created it. Revoking that key also revokes this one. Null if the operator created it
    made_by: str | None
    created_at: str
    # Time of the last use, to the minute
    last_used_at: str | None
    # Null if it never expires
    expires_at: str | None
    revoked_at: str | None
    state: Literal["valid", "expired", "revoked"]


class ApiKeyPage(TypedDict):
    data: list[ApiKey]
    pagination: Pagination


class AuditEntryActor(TypedDict):
    kind: Literal["api_key", "operator", "agent", "visitor"]
    # Id of the API key or agent. Null for operators and visitors
    id: str | None
    # Name of the API key
    name: str | None


class AuditEntry(TypedDict):
    at: str
    actor: AuditEntryActor
    action: Literal["agent.archive", "agent.conversations", "agent.create", "agent.restore", "agent.update", "call.dispatch", "call.hangup", "call.listen", "call.transfer", "call.transfer_refused", "campaign.cancel", "campaign.create", "campaign.pause", "campaign.pause_all", "campaign.resume", "campaign.resume_all", "campaign.update", "console.link", "console.sign_in", "console.sign_in_failed", "delivery.redeliver", "dnd.add", "dnd.clear", "dnd.import", "dnd.remove", "key.create", "key.expire", "key.revoke", "mail.confirm", "mail.remove", "number.add", "number.import", "number.remove", "org.create", "org.update", "person.erase", "secret.create", "secret.revoke", "secret.rotate", "secrets.re-encrypt", "session.end", "storage.move"]
    # Id of the changed object. For a setting of the organization as a whole, the id of the organization
    subject_id: str
    # Name of the agent, campaign or API key, if it still exists
    subject_name: str | None
    # Names of the fields that were changed, never their values
    fields: list[str]
    # Client address of the request. Null for operators and agents
    address: str | None
    # X-Request-Id of the request
    request_id: str | None


class AuditPage(TypedDict):
    data: list[AuditEntry]
    pagination: Pagination


class Brakes(TypedDict):
    """Spend limits and circuit breaker, which pause campaigns automatically. Days are in UTC"""
    # Credits that a campaign may spend per day; null means unlimited
    campaign_spend_per_day: float | None
    # Credits that the organization may spend per day; null means unlimited
    spend_per_day: float | None
    # Credits that the organization has spent today
    spent_today: float
    # Share of recent dials that the carrier may fail before campaigns pause; 0 means unlimited. Null uses the operator's setting
    failure_rate: float | None


class BrowserSession(TypedDict):
    # Token for the real-time server
    token: str
    room_name: str
    agent_name: str
    # URL to connect to with the token
    connection_url: str
    # WebSocket URL of the live captions
    live_captions_url: str


class Call(TypedDict):
    """One call attempt"""
    # Unique. Starts with outbound- for outbound phone calls, inbound- for inbound ones and room_ for browser sessions
    call_id: str
    call_type: Literal["Outbound", "Inbound"]
    # Final: one of completed, User disconnected, voicemail, no answer, busy, rejected, failed, error, DND, cancelled, expired. Before that: queued, dialing, ringing, in progress
    call_status: str
    direction: Literal["Outbound", "Incoming"]
    # Display name of the agent
    agent_name: str
    client_name: str
    agent_id: str
    client_id: str
    # E.164; web-user in a browser session. Null until the carrier reports which number it used, or if the caller withholds theirs
    from_number: str | None
    # E.164; null in a browser session
    to_number: str | None
    # When the call was accepted
    Start_time: str
    # Null until the call has ended
    End_time: str | None
    # Milliseconds from answer to end; 0 if unanswered
    duration_ms: float
    # Credits, charged per started minute of talk
    call_cost: float
    # Generated summary
    call_summary: str | None
    # Extracted data. The keys depend on the agent
    call_entity: dict[str, Json]
    # Evaluation tag
    call_eval_tag: str | None
    # score, sentiment, agent_talk_ratio, interruptions, avg_response_ms, p95_response_ms; empty until processed
    call_conversation_quality: dict[str, Json]
    post_processing_status: Literal["completed", "not_processed", "processing"]
    call_dialing_at: str | None
    call_ringing_at: str | None
    user_picked_up_at: str | None
    # URL of the recording, signed for 24 hours. Null until there is one
    recording_api: str | None
    # URL of the transcript, signed for 24 hours. Null until there is one
    call_transcription: str | None
    # Variables of the call. The fields name, phone, agent_name, agent_id and client_id take precedence over them
    call_metadata: dict[str, Json]
    chat_history: list[ChatMessage]
    # True if the person asked not to be called again
    do_not_call: bool
    callback_requested: bool
    callback_id: str | None
    callback_status: str | None
    # Set if the connection to the phone was lost because its SIP bridge died or LiveKit was unavailable. Until then the call may still ring or be connected, so it keeps its line
    line_kept_until: str | None


class CallDetails(TypedDict):
    # Lines prefixed AGENT: and USER:. A fixed text until processed
    transcription: str
    # Extracted entities. A fixed text until processed
    entity: dict[str, Json] | str
    # Evaluation as configured in the agent. A fixed text until processed
    conversation_eval: dict[str, Json] | str
    # Summary of the call. A fixed text until processed
    summary: str
    # Null until processed
    call_eval_tag: str | None
    # Whether a language model or the built-in rules produced the four fields above. Null until processed
    analysis_method: Literal["model", "rules", None]
    usage: CallUsage | None


class CallPage(TypedDict):
    data: list[Call]
    pagination: Pagination


class CallUsage(TypedDict):
    """Usage of models. Null if none was reported"""
    models: list[UsedModel]
    # Total cost. Null if the cost of any model is unknown
    cost: float | None


class Campaign(TypedDict):
    id: str
    campaign_name: str
    # paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    # Comma-separated weekday names
    days_of_week: str
    # Start of the daily window in UTC, inclusive
    time_range_from: str
    # End of the daily window in UTC, exclusive
    time_range_to: str
    client_id: str
    agent_id: str
    # URL of the contact file, signed for 24 hours
    excel_blob_url: str
    # Format of the file, detected from its content
    contact_source_type: Literal["csv", "xlsx", "xls"]
    # Maximum number of attempts per contact. 1 means no redial
    max_retries: int
    # Minutes from the end of an attempt to the next one
    retry_after_mins: int
    # Maximum number of live calls of the campaign
    call_concurrency: int
    # First day
    start_date: str
    # Last day
    end_date: str
    notification_emails: list[str]
    # `campaign_webhook_url` of the request
    webhook_url: str | None
    perform_dnd_check: bool
    created_at: str
    updated_at: str


class CampaignDetail(TypedDict):
    id: str
    campaign_name: str
    # paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    # Comma-separated weekday names
    days_of_week: str
    # Start of the daily window in UTC, inclusive
    time_range_from: str
    # End of the daily window in UTC, exclusive
    time_range_to: str
    client_id: str
    agent_id: str
    # URL of the contact file, signed for 24 hours
    excel_blob_url: str
    # Format of the file, detected from its content
    contact_source_type: Literal["csv", "xlsx", "xls"]
    # Maximum number of attempts per contact. 1 means no redial
    max_retries: int
    # Minutes from the end of an attempt to the next one
    retry_after_mins: int
    # Maximum number of live calls of the campaign
    call_concurrency: int
    # First day
    start_date: str
    # Last day
    end_date: str
    notification_emails: list[str]
    # `campaign_webhook_url` of the request
    webhook_url: str | None
    perform_dnd_check: bool
    created_at: str
    updated_at: str
    # URL for events of each call
    per_call_webhook_url: str | None
    stats: CampaignStats
    # Reason for the status
    status_reason: str | None
    # Delivery of the report to each of notification_emails. Before the campaign ends: confirmed or unconfirmed. Unconfirmed addresses get no report
    completion_mails: list[CompletionMail]


class CampaignEdit(TypedDict):
    # At most 255 characters
    campaign_name: NotRequired[str]
    # Maximum number of live calls, up to the organization's maximum
    concurrency: NotRequired[int]
    # First day, in UTC
    from_date: NotRequired[str]
    # Last day, in UTC
    to_date: NotRequired[str]
    # Start of the daily window in UTC, inclusive, 02:30-14:29
    start_time: NotRequired[str]
    # End of the daily window in UTC, exclusive, 02:30-14:29
    end_time: NotRequired[str]
    # Comma-separated lowercase weekday names
    days_of_week: NotRequired[str]
    # Maximum number of attempts per contact, 1-10. 1 means no redial
    max_retries: NotRequired[int]
    # Minutes from the end of an attempt to the next one, 0-1440
    retry_delay_mins: NotRequired[int]
    # Comma-separated e-mail addresses, at most 5
    notification_emails: NotRequired[str | None]
    # URL for events of the campaign
    campaign_webhook_url: NotRequired[str | None]
    # URL for events of each call
    per_call_webhook_url: NotRequired[str | None]


class CampaignEditForm(TypedDict):
    # At most 255 characters
    campaign_name: NotRequired[str]
    # Maximum number of live calls, up to the organization's maximum
    concurrency: NotRequired[int]
    # First day, in UTC
    from_date: NotRequired[str]
    # Last day, in UTC
    to_date: NotRequired[str]
    # Start of the daily window in UTC, inclusive, 02:30-14:29
    start_time: NotRequired[str]
    # End of the daily window in UTC, exclusive, 02:30-14:29
    end_time: NotRequired[str]
    # Comma-separated lowercase weekday names
    days_of_week: NotRequired[str]
    # Maximum number of attempts per contact, 1-10. 1 means no redial
    max_retries: NotRequired[int]
    # Minutes from the end of an attempt to the next one, 0-1440
    retry_delay_mins: NotRequired[int]
    # Comma-separated e-mail addresses, at most 5
    notification_emails: NotRequired[str]
    # URL for events of the campaign
    campaign_webhook_url: NotRequired[str]
    # URL for events of each call
    per_call_webhook_url: NotRequired[str]


class CampaignError(TypedDict):
    status_code: int
    # Name of the status
    error: str
    message: str
    code: str
    path: str
    timestamp: str
    request_id: str
    details: NotRequired[list[Json]]
    # Number of faults in the file; details holds the first 100
    details_total: NotRequired[int]


class CampaignListItem(TypedDict):
    id: str
    campaign_name: str
    # paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    agent_id: str
    call_concurrency: int
    # Number of contacts
    total_leads: int
    # Number of contacts that were reached
    completed_calls: int
    created_at: str
    updated_at: str


class CampaignOutcome(TypedDict):
    call_status: Literal["completed", "User disconnected", "voicemail", "no answer", "busy", "rejected", "failed", "error", "DND", "cancelled", "expired"]
    calls: int


class CampaignPage(TypedDict):
    campaigns: list[CampaignListItem]
    pagination: CampaignPagination


class CampaignPagination(TypedDict):
    # Number of this page, starting at 1
    page: int
    # Maximum number of items on a page
    page_size: int
    # Number of items on all pages
    total: int
    # Number of pages
    total_pages: int


class CampaignProgress(TypedDict):
    campaign_id: str
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    # Reason why the campaign is not dialling; null while it dials
    status_reason: str | None
    stats: CampaignStats
    # Maximum number of live calls of the campaign
    call_concurrency: int
    # Number of calls that hold a line
    lines_in_use: int
    # Number of calls that wait for a line
    waiting_calls: int
    # Calls dialled in the last minute
    calls_per_minute: int
    # Results of its calls. Updated less often for large campaigns
    outcomes: list[CampaignOutcome]
    # Next action of the engine, as text for people
    next_step: str
    # Due time of the next redial that is not yet due
    next_redial_at: str | None
    ended_at: str | None


class CampaignStanding(TypedDict):
    id: str
    campaign_name: str
    # paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    updated_at: str


class CampaignStats(TypedDict):
    """Contacts by state; they always add up"""
    # Contacts
    total_calls: int
    # Answered, voicemail included
    completed: int
    pending: int
    in_progress: int
    # failed, duplicate, dnd, invalid, cancelled and expired contacts
    failed: int


class ChatMessage(TypedDict):
    # Speaker of this message
    role: Literal["agent", "user", "tool"]
    # What was said
    content: str
    # Start, in milliseconds since the call was answered
    start_ms: int
    # End, in milliseconds since the call was answered
    end_ms: int
    # True if the other speaker interrupted it
    interrupted: bool


class CompletionMail(TypedDict):
    email: str
    status: Literal["pending", "sent", "failed", "skipped", "unconfirmed", "confirmed"]


class ConsoleSessionWorkflowPages(TypedDict):
    """URLs in Temporal's Web UI. Null unless the session began with a link that an operator created for this"""
    # URL of a campaign, with `{id}` in place of its id
    campaign: str
    # URL of a call, with `{id}` in place of its id
    call: str
    # URL of the list of all workflows
    list: str


class ConsoleSession(TypedDict):
    # Name of the organization
    organisation: str
    # Name or first characters of the key that the session acts for
    key_name: str
    # Current scopes of the key
    scopes: list[Literal["read", "operate", "configure"]]
    # Send it as X-CSRF-Token with every request that changes something
    csrf_token: str
    expires_at: str
    # URLs in Temporal's Web UI. Null unless the session began with a link that an operator created for this
    workflow_pages: ConsoleSessionWorkflowPages | None


class ConsoleSignIn(TypedDict):
    # An API key of the organization
    api_key: NotRequired[str]
    # Token of a sign-in link. It works only once
    sign_in_token: NotRequired[str]


class Contact(TypedDict):
    # Row number in the file. The header is row 1
    row: int
    name: str
    # E.164
    phone_number: str
    # Extra columns of the file
    variables: dict[str, Json]
    state: Literal["pending", "in_progress", "completed", "failed", "duplicate", "dnd", "invalid", "cancelled", "expired"]
    # Reason why it was not called or not reached
    reason: str | None
    attempts: list[ContactAttempt]
    # Due time of its redial or callback, regardless of the calling window
    next_attempt_at: str | None
    # True if the person asked in a call not to be called again
    do_not_call: bool
    # Text for people: why it was not reached or is not called now. Null if it was reached or is being called
    why: str | None
    next: ContactNextStep


class ContactAttempt(TypedDict):
    # Number of the attempt. A callback has the number of the attempt before it
    attempt: int
    # True if the person requested this call in an earlier one
    is_callback: bool
    call_id: str
    call_status: str
    # Who or what ended it. Null while it is in progress
    end_reason: str | None
    # Time of the dial request to the carrier
    started_at: str | None
    dialed_at: str | None
    ringing_at: str | None
    answered_at: str | None
    ended_at: str | None
    # Milliseconds from answer to end. 0 if unanswered or still in progress
    duration_ms: int


class ContactFileColumn(TypedDict):
    title: str
    # Use of the column: the name, the number or a variable of the contact. `unclear` if its header is invalid
    meaning: Literal["name", "phone_number", "variable", "unclear"]


class ContactFileFault(TypedDict):
    row: int
    # Null if the whole row is at fault
    column: str | None
    value: str | None
    reason: str


class ContactFilePreview(TypedDict):
    # Format detected from the content, whatever the name of the file
    format: Literal["csv", "xlsx", "xls"]
    columns: list[ContactFileColumn]
    # First five rows below the header
    rows: list[ContactFileRow]
    # Number of rows below the header
    rows_total: int
    # First hundred faults. Create accepts only a file without faults
    faults: list[ContactFileFault]
    faults_total: int


class ContactFileRow(TypedDict):
    # Row number in the spreadsheet
    row: int
    # At most one cell per column
    cells: list[str]


class ContactNextStep(TypedDict):
    # Next action
    action: Literal["dial", "redial", "callback", "none"]
    # Earliest time of the action. Null if it depends on a free line, a person or the current call
    at: str | None
    # Text for people
    sentence: str


class ContactPage(TypedDict):
    data: list[Contact]
    pagination: Pagination


class CreateAgent(TypedDict):
    # Human-readable name. The slug agent_name is derived from it
    agent_display_name: str
    config: NotRequired[AgentConfig | None]


class CreateCampaign(TypedDict):
    # 1 to 10,000 contacts as .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
    csv_file: File
    # At most 255 characters
    campaign_name: str
    # Maximum number of live calls, up to the organization's maximum
    concurrency: int
    # First day, in UTC
    from_date: str
    # Last day, in UTC
    to_date: str
    # Start of the daily window in UTC, inclusive, 02:30-14:29
    start_time: str
    # End of the daily window in UTC, exclusive, 02:30-14:29
    end_time: str
    # Comma-separated lowercase weekday names
    days_of_week: str
    # Maximum number of attempts per contact, 1-10. 1 means no redial
    max_retries: NotRequired[int]
    # Minutes from the end of an attempt to the next one, 0-1440
    retry_delay_mins: NotRequired[int]
    # Comma-separated e-mail addresses, at most 5
    notification_emails: NotRequired[str]
    # URL for events of the campaign
    campaign_webhook_url: NotRequired[str]
    # URL for events of each call
    per_call_webhook_url: NotRequired[str]
    # Id or `agent_name` of the agent
    agent_id: str
    # If true, contacts on the do-not-disturb list are not called
    perform_dnd_check: NotRequired[bool]


class CreatedAgent(TypedDict):
    success: Literal[True]
    # Identifier of the new agent
    agent_id: str
    # Display name
    agent_name: str
    # Owning organization
    client_id: str


class DeliveryAttempt(TypedDict):
    attempt: int
    at: str
    # HTTP status of the response. Null if there was none
    status_code: int | None
    duration_ms: int
    error: str | None


class DeliveryPage(TypedDict):
    data: list[WebhookDelivery]
    pagination: Pagination


class DeploymentPhoneCallType(TypedDict):
    """By direction"""
    # Number whose callers the agent answers; empty removes the route
    Inbound: NotRequired[str | None]
    # Numbers the agent may dial from; any unless set
    Outbound: NotRequired[list[str] | None]


class DeploymentPhone(TypedDict):
    """Telephony"""
    # By direction
    call_type: NotRequired[DeploymentPhoneCallType | None]


class Deployment(TypedDict):
    """The numbers an agent calls from and answers"""
    # Telephony
    phone: NotRequired[DeploymentPhone | None]


class DeploymentUpdate(TypedDict):
    deployment: Deployment


class Dispatch(TypedDict):
    # Id or `agent_name` of the agent
    agent_id: str
    # Template variables for the agent's prompt: at most 100 keys and 16 KiB as JSON
    metadata: NotRequired[dict[str, Json]]
    modify_agent: NotRequired[ModifyAgent | None]
    # Number to call: E.164, or 91XXXXXXXXXX, 0XXXXXXXXXX, XXXXXXXXXX
    contact_number: str
    # Name of the callee
    name: str
    # Voice to use. Empty uses the agent's own
    voice: NotRequired[str]
    # E.164 caller ID. Must be one of the agent's outbound numbers, if it has any
    outbound_number: NotRequired[str | None]
    # If true, the do-not-disturb check is skipped
    dnd_check_skipped: NotRequired[bool]
    # A phone call
    medium: NotRequired[Literal["telephony"]]


class DispatchError(TypedDict):
    success: Literal[False]
    message: str
    output: None
    # Error code
    error: str
    detail: ErrorDetail | list[InputFault]


class DispatchOutput(TypedDict):
    agent_name: str
    # Starts with outbound-
    call_id: str
    # WebSocket URL of the live captions
    live_captions_url: str


class Dispatched(TypedDict):
    """An accepted call. It waits for a free line and survives restarts"""
    # Always true
    success: bool
    message: str
    output: DispatchOutput
    error: None


class DoNotDisturbNumber(TypedDict):
    # E.164
    phone_number: str
    # Source of the entry
    source: str
    added_at: str
    # Call in which the person asked not to be called again
    call_id: str | None


class DoNotDisturbPage(TypedDict):
    data: list[DoNotDisturbNumber]
    pagination: Pagination


class DoNotDisturbRemoval(TypedDict):
    # Phone number in any form that dispatch accepts
    phone_number: str


class Done(TypedDict):
    success: Literal[True]


class EndedSessions(TypedDict):
    # Number of sessions that were ended
    ended: int


class Error(TypedDict):
    detail: ErrorDetail


class ErrorDetail(TypedDict):
    # Error code. It never changes, so branch on it
    code: str
    # Explanation for people
    message: str


class ExperienceConversationalExperienceBgNoise(TypedDict):
    """Background noise, also in the recording"""
    # Whether noise is played, also into the recording
    enabled: NotRequired[bool | None]
    # Volume of the noise
    volume: NotRequired[float | None]
    # `office`, `cafe`, `call_center`, `street`, `room`, `white_noise`; others sound like an office
    sound: NotRequired[str | None]


class ExperienceConversationalExperienceFillerWords(TypedDict):
    """Words that fill a pause"""
    # Share of answers that begin with one of the words, while the model still thinks; 0 = never
    filler_words_frequency: NotRequired[float | None]
    # The words, used in turn
    filler_words_list: NotRequired[list[str] | None]


class ExperienceConversationalExperience(TypedDict):
    """How talking feels"""
    # Background noise, also in the recording
    bg_noise: NotRequired[ExperienceConversationalExperienceBgNoise | None]
    # Words that fill a pause
    filler_words: NotRequired[ExperienceConversationalExperienceFillerWords | None]
    # Silence after the last word before the agent speaks: slow 1.2 s, balanced 0.5 s, fast 0.2 s; balanced 1.5 s and fast 1 s where the speaker does not sound finished, which a fast agent hears less often. A fast agent begins its answer before the end of the turn is certain
    eagerness_to_speak: NotRequired[Literal["slow", "balanced", "fast", None]]
    # Audible breathing. Stored only: its shape is not given
    breathing_sound: NotRequired[dict[str, Json] | None]
    # Waiting for incomplete input: a number of few digits, an "and", a comma. Sounding unfinished is judged as by the next slower agent
    patience_with_user_entries: NotRequired[dict[str, Json] | None]
    # Detected mood to changed behaviour, for the model; the sound of the voice is not used
    mood_mapping: NotRequired[dict[str, Json] | None]


class ExperienceSettingsIdleConversationSettings(TypedDict):
    """When nobody speaks"""
    # Ask a quiet user whether they are there, once in a silence
    pulse_check: NotRequired[bool | None]
    # End the call when the user stays quiet
    end_conversation_on_idle: NotRequired[bool | None]
    # Silence before the call ends, counted from the warning if there is one. In seconds
    idle_call_hangup_timeout: NotRequired[int | None]
    # Silence on both sides before the warning. In seconds
    idle_call_warning_timeout: NotRequired[int | None]
    # Said before the call ends
    idle_call_hangup_message: NotRequired[str | None]
    # Said as the warning
    idle_call_warning_message: NotRequired[str | None]


class ExperienceSettingsEndCall(TypedDict):
    """Ending on a phrase"""
    # Whether a phrase ends the call
    enabled: NotRequired[bool | None]
    # The phrase, of either side: whole words, any case. It counts when the agent has finished saying it, or has answered it
    end_call_phrase: NotRequired[str | None]
    # From the phrase to the end; more than 60 counts as 60. In seconds
    hangup_timeout: NotRequired[int | None]


class ExperienceSettingsCallSettings(TypedDict):
    """Limits of a call"""
    # Longest talk. In minutes
    max_call_duration: NotRequired[int | None]
    # Whether this limit applies; else it is 60 minutes
    max_duration_enabled: NotRequired[bool | None]
    # Detect answering machines on outbound calls, within 12 s, by unbroken speech and by phrases; call screening counts as a person
    enable_voicemail_detection: NotRequired[bool | None]
    # What to do with an answering machine
    action: NotRequired[Literal["hang_up", "leave_message", None]]
    # The message of leave_message, left once the machine has paused for 1.5 s
    end_call_message: NotRequired[str | None]


class ExperienceSettingsRecording(TypedDict):
    """Recording of the call"""
    # Whether the call is recorded
    enabled: NotRequired[bool | None]
    # Said before the greeting of a call that is recorded, not interruptible; may hold {{variables}}. The recording begins behind it; without it there is none
    disclosure: NotRequired[str | None]


class ExperienceSettings(TypedDict):
    """When calls warn, end and leave messages"""
    # When nobody speaks
    idle_conversation_settings: NotRequired[ExperienceSettingsIdleConversationSettings | None]
    # Ending on a phrase
    end_call: NotRequired[ExperienceSettingsEndCall | None]
    # Limits of a call
    call_settings: NotRequired[ExperienceSettingsCallSettings | None]
    # Recording of the call
    recording: NotRequired[ExperienceSettingsRecording | None]


class Experience(TypedDict):
    """How a conversation feels and when it ends"""
    # How talking feels
    conversational_experience: NotRequired[ExperienceConversationalExperience | None]
    # When calls warn, end and leave messages
    settings: NotRequired[ExperienceSettings | None]


class FoundContact(TypedDict):
    campaign_id: str
    campaign_name: str
    # Row number in the file. The header is row 1
    row: int
    name: str
    # E.164
    phone_number: str
    state: Literal["pending", "in_progress", "completed", "failed", "duplicate", "dnd", "invalid", "cancelled", "expired"]


class FoundContactPage(TypedDict):
    data: list[FoundContact]
    pagination: Pagination


class Health(TypedDict):
    parts: list[PartHealth]


class HungUp(TypedDict):
    # Always true
    success: bool
    call_id: str
    # Current status. It becomes final once the call has ended
    call_status: str


class InputFault(TypedDict):
    # Path of the field, starting with body, query, path or header
    loc: list[str | float]
    # What is wrong
    msg: str
    type: str


class IssuedApiKey(TypedDict):
    id: str
    name: str | None
    # First twelve characters of the key
    prefix: str
    # Scopes of the key
    scopes: list[Literal["read", "operate", "configure"]]
    # Id of the key that created it. Revoking that key also revokes this one. Null if the operator created it
    made_by: str | None
    created_at: str
    # Time of the last use, to the minute
    last_used_at: str | None
    # Null if it never expires
    expires_at: str | None
    revoked_at: str | None
    state: Literal["valid", "expired", "revoked"]
    # The key. It is shown only once, because only its hash is stored
    key: str


class KeptConversation(TypedDict):
    # Name shown in the list
    title: str
    # Template variables, like `metadata` of a dispatch: at most 100 keys and 16 KiB as JSON
    variables: NotRequired[dict[str, Json]]
    # Turns in order
    turns: list[KeptTurn]


class KeptConversations(TypedDict):
    conversations: list[KeptConversation]


class KeptTurn(TypedDict):
    # What the person types. Only the first turn may omit it, for what the agent says on its own
    user: NotRequired[str]
    expect: NotRequired[TurnExpectations]


Key: TypeAlias = "str"


class KeySession(TypedDict):
    # Identifies the session but does not authenticate it
    id: str
    created_at: str
    expires_at: str
    # Client address of the sign-in
    address: str | None
    # True for the session of this request
    is_current: bool


class KeySessionList(TypedDict):
    data: list[KeySession]


class Limits(TypedDict):
    # Maximum number of live calls of the organization
    max_concurrency: int
    # How many of these lines callers may use at once
    caller_lines: int
    # Number of calls that hold a line now
    live_calls: int
    # Number of calls that wait for a line now
    waiting_calls: int
    rate_limits: RateLimits
    brakes: Brakes
    # E.164 numbers that only this organization may call from and answer
    numbers: list[str]
    # Limits on what the organization may store
    quotas: list[Quota]
    # Scopes of the API key of this request
    scopes: list[Literal["read", "operate", "configure"]]


class ListeningSession(TypedDict):
    # Token for the real-time server. Join within a minute
    token: str
    room_name: str
    # URL to connect to with the token
    connection_url: str


class ModifyAgent(TypedDict):
    """Merged over the stored configuration for this call only"""
    persona: NotRequired[Persona | None]
    training: NotRequired[Training | None]
    experience: NotRequired[Experience | None]
    analysis: NotRequired[Analysis | None]


class NewApiKey(TypedDict):
    # Purpose of the key
    name: str
    # Scopes of the key. The API key of the request must have all of them
    scopes: list[Literal["read", "operate", "configure"]]
    # A date or timestamp in UTC. Default: never, or when the API key of the request expires. Keys created by a console session expire after 90 days
    expires_at: NotRequired[str]


class NewDoNotDisturbNumber(TypedDict):
    # Phone number in any form that dispatch accepts
    phone_number: str
    # Source of the entry
    source: NotRequired[str]


class Pagination(TypedDict):
    # Number of this page, starting at 1
    page: int
    # Maximum number of items on a page
    page_size: int
    # Number of items on all pages. With a filter, counted up to 10,000
    total_count: int
    # Number of pages
    total_pages: int
    has_next: bool
    has_previous: bool


class PartHealth(TypedDict):
    part: Literal["database", "temporal", "workers", "storage", "livekit", "carrier"]
    status: Literal["up", "degraded", "down"]
    # Null if the part is up. `not_seen`: no worker polls for tasks. `dials_fail`: the carrier fails dials
    reason: Literal["no_answer", "refused", "read_only", "not_seen", "dials_fail", None]
    # Null if the part is up or the time is unknown
    since: str | None


class PersonaIdentityGreetingMessage(TypedDict):
    """How the conversation opens"""
    # Opening text; may hold {{variables}}. Empty: the model begins. A custom-LLM server may greet instead. Without a voice the agent plays a chime and shows the text
    agent_message: NotRequired[str | None]
    # Wait before the greeting, if the agent speaks first. In seconds
    agent_speech_delay: NotRequired[int | None]
    # Silence after the first words of the user before the greeting. In seconds. 0.5 unless set
    user_speech_delay: NotRequired[int | None]
    # Whether half a second of speech interrupts the opening. When false, speech during the opening is ignored
    interruptible: NotRequired[bool | None]
    # Whether the agent greets only after the first words of the user. A session with a `welcome_message` is greeted at once
    let_user_speak_first: NotRequired[bool | None]


class PersonaIdentity(TypedDict):
    """Who the agent is"""
    # Main prompt, first in the instructions of the model; may hold {{variables}}. An agent without one is `initialized`, not `running`
    system_prompt: NotRequired[str | None]
    # Trait to value, for the model
    personality: NotRequired[dict[str, Json] | None]
    # How the conversation opens
    greeting_message: NotRequired[PersonaIdentityGreetingMessage | None]


class PersonaSensesCapabilitiesEarsSttPrimary(TypedDict):
    """First choice"""
    # Speech-to-text provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Language code for recognition; that of the agent unless set
    language: NotRequired[str | None]
    # Words whose recognition is boosted: Deepgram (`keyterm`, before nova-3 `keywords`), ElevenLabs (`keyterms`), OpenAI-compatible (`prompt`); not Cartesia, Sarvam
    keywords: NotRequired[list[Json] | None]


class PersonaSensesCapabilitiesEarsSttFallback(TypedDict):
    """Recognises the same utterance if the first fails; a stream from the failure on"""
    # Speech-to-text provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Language code for recognition; that of the agent unless set
    language: NotRequired[str | None]
    # Words whose recognition is boosted: Deepgram (`keyterm`, before nova-3 `keywords`), ElevenLabs (`keyterms`), OpenAI-compatible (`prompt`); not Cartesia, Sarvam
    keywords: NotRequired[list[Json] | None]


class PersonaSensesCapabilitiesEarsStt(TypedDict):
    """Speech to text"""
    # First choice
    primary: NotRequired[PersonaSensesCapabilitiesEarsSttPrimary | None]
    # Recognises the same utterance if the first fails; a stream from the failure on
    fallback: NotRequired[PersonaSensesCapabilitiesEarsSttFallback | None]


class PersonaSensesCapabilitiesEars(TypedDict):
    """Hearing"""
    # Speech to text
    stt: NotRequired[PersonaSensesCapabilitiesEarsStt | None]


class PersonaSensesCapabilitiesBrainLlmPrimaryParameters(TypedDict):
    """Sampling, sent with each request; the server decides unless set"""
    # Sampling temperature
    temperature: NotRequired[float | None]
    # Nucleus sampling
    top_p: NotRequired[float | None]
    # Longest answer (`max_completion_tokens`). In tokens
    max_tokens: NotRequired[int | None]


class PersonaSensesCapabilitiesBrainLlmPrimary(TypedDict):
    """First choice"""
    # Language model provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Sampling, sent with each request; the server decides unless set
    parameters: NotRequired[PersonaSensesCapabilitiesBrainLlmPrimaryParameters | None]
    # Provider `custom`: address of its server; the call id is appended
    url: NotRequired[str | None]
    # Provider `custom`: bearer token, shown masked; a mask sent back keeps it
    auth_token: NotRequired[str | None]


class PersonaSensesCapabilitiesBrainLlmFallbackParameters(TypedDict):
    """Sampling, sent with each request; the server decides unless set"""
    # Sampling temperature
    temperature: NotRequired[float | None]
    # Nucleus sampling
    top_p: NotRequired[float | None]
    # Longest answer (`max_completion_tokens`). In tokens
    max_tokens: NotRequired[int | None]


class PersonaSensesCapabilitiesBrainLlmFallback(TypedDict):
    """Answers if the first fails, has no first word within five seconds or ends without a word; the first is retried meanwhile"""
    # Language model provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Sampling, sent with each request; the server decides unless set
    parameters: NotRequired[PersonaSensesCapabilitiesBrainLlmFallbackParameters | None]


class PersonaSensesCapabilitiesBrainLlm(TypedDict):
    """Language model"""
    # First choice
    primary: NotRequired[PersonaSensesCapabilitiesBrainLlmPrimary | None]
    # Answers if the first fails, has no first word within five seconds or ends without a word; the first is retried meanwhile
    fallback: NotRequired[PersonaSensesCapabilitiesBrainLlmFallback | None]


class PersonaSensesCapabilitiesBrain(TypedDict):
    """Thinking"""
    # Language model
    llm: NotRequired[PersonaSensesCapabilitiesBrainLlm | None]
    # Stored only: nothing defines which model serves which language
    auto_detect_llm: NotRequired[bool | None]


class PersonaSensesCapabilitiesMouthTtsPrimary(TypedDict):
    """First choice"""
    # Text-to-speech provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Voice; the `voice` of a telephony dispatch overrides it. Deepgram's voices are models
    voice_id: NotRequired[str | None]
    # Name of the voice, if there is no `voice_id`
    voice_name: NotRequired[str | None]
    # `speed`; `instructions` (OpenAI-compatible); `stability`, `similarity_boost`, `style`, `use_speaker_boost` (ElevenLabs); `volume`, `emotion` (Cartesia); `pace`, `pitch`, `loudness` (Sarvam); `voices: {male, female}` (any)
    config: NotRequired[dict[str, Json] | None]


class PersonaSensesCapabilitiesMouthTtsFallback(TypedDict):
    """Speaks if the first fails"""
    # Text-to-speech provider
    provider: NotRequired[str | None]
    # Model; the provider's usual one unless set
    model: NotRequired[str | None]
    # Voice; the `voice` of a telephony dispatch overrides it. Deepgram's voices are models
    voice_id: NotRequired[str | None]
    # Name of the voice, if there is no `voice_id`
    voice_name: NotRequired[str | None]
    # `speed`; `instructions` (OpenAI-compatible); `stability`, `similarity_boost`, `style`, `use_speaker_boost` (ElevenLabs); `volume`, `emotion` (Cartesia); `pace`, `pitch`, `loudness` (Sarvam); `voices: {male, female}` (any)
    config: NotRequired[dict[str, Json] | None]


class PersonaSensesCapabilitiesMouthTts(TypedDict):
    """Text to speech"""
    # First choice
    primary: NotRequired[PersonaSensesCapabilitiesMouthTtsPrimary | None]
    # Speaks if the first fails
    fallback: NotRequired[PersonaSensesCapabilitiesMouthTtsFallback | None]
    # Word to pronunciation: whole words, any case. Captions and transcript keep the word
    word_pronunciation_pairs: NotRequired[dict[str, Json] | None]


class PersonaSensesCapabilitiesMouth(TypedDict):
    """Speaking"""
    # Text to speech
    tts: NotRequired[PersonaSensesCapabilitiesMouthTts | None]


class PersonaSensesCapabilities(TypedDict):
    """Hearing, thinking and speaking"""
    # Language code, such as en or hi, for recognition, voice and model
    language: NotRequired[str | None]
    # Detect the language of the user; the model follows it
    auto_detect: NotRequired[bool | None]
    # Hearing
    ears: NotRequired[PersonaSensesCapabilitiesEars | None]
    # Thinking
    brain: NotRequired[PersonaSensesCapabilitiesBrain | None]
    # Speaking
    mouth: NotRequired[PersonaSensesCapabilitiesMouth | None]


class Persona(TypedDict):
    """Who the agent is and how it hears, thinks and speaks"""
    # Who the agent is
    identity: NotRequired[PersonaIdentity | None]
    # Hearing, thinking and speaking
    senses_capabilities: NotRequired[PersonaSensesCapabilities | None]
    # Custom actions. Secret headers are shown masked; a mask sent back keeps the secret
    actions: NotRequired[dict[str, Json] | None]
    # Name to text, for the model
    memories: NotRequired[dict[str, Json] | None]
    # Variables for prompts and flows; those of the contact or the dispatch override them
    metadata: NotRequired[dict[str, Json] | None]


class PreviewContactFile(TypedDict):
    # 1 to 10,000 contacts as .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
    csv_file: File


class Quota(TypedDict):
    name: Literal["campaigns", "contacts", "contact_file_bytes", "agents", "agent_bytes", "webhook_deliveries", "dnd_numbers"]
    # Amount stored now
    used: int
    # Maximum amount; null means unlimited
    limit: int | None


class RateLimits(TypedDict):
    # Dispatches; 0 means unlimited
    dispatch_per_minute: int
    # All other requests; 0 means unlimited
    other_per_minute: int


class Redelivered(TypedDict):
    # Number of deliveries that are pending again
    redelivered: int
    # Number of further matches left for another request, because of `limit` or because an organization may have at most 1,000 redeliveries in progress
    skipped: int


RedeliveryRequest = TypedDict("RedeliveryRequest", {"campaign_id": "NotRequired[str]", "call_id": "NotRequired[str]", "status": "NotRequired[Literal[\"failed\", \"delivered\"]]", "from": "NotRequired[str]", "to": "NotRequired[str]", "limit": "NotRequired[int]"})


class ReplaceConversations(TypedDict):
    conversations: list[KeptConversation]


class RestoreVersion(TypedDict):
    # Number of the version to restore
    version: int


class RotatedSecret(TypedDict):
    id: str
    # The secret. It is shown only once
    secret: str
    # Latest time at which older secrets expire
    older_sign_until: str


class SecretRotation(TypedDict):
    # Hours during which the old secret still signs beside the new one. 0 expires all old secrets at once
    overlap_hours: NotRequired[int]


class SectionUpdated(TypedDict):
    success: Literal[True]
    # Names the updated section
    message: str


class SessionDispatch(TypedDict):
    # Id or `agent_name` of the agent
    agent_id: str
    # Template variables for the agent's prompt: at most 100 keys and 16 KiB as JSON
    metadata: NotRequired[dict[str, Json]]
    modify_agent: NotRequired[ModifyAgent | None]
    voice_gender: NotRequired[Literal["male", "female"]]
    primary_language: NotRequired[str]
    secondary_language: NotRequired[str]
    # Overrides the default greeting
    welcome_message: NotRequired[str]
    welcome_interruptible: NotRequired[bool]
    bg_noise_enabled: NotRequired[bool]
    bg_noise_volume: NotRequired[int]
    voice_speed: NotRequired[float]
    # A browser session
    medium: Literal["webrtc"]


class SimulateCampaign(TypedDict):
    # 1 to 10,000 contacts as .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number
    csv_file: File
    # At most 255 characters
    campaign_name: str
    # Maximum number of live calls, up to the organization's maximum
    concurrency: int
    # First day, in UTC
    from_date: str
    # Last day, in UTC
    to_date: str
    # Start of the daily window in UTC, inclusive, 02:30-14:29
    start_time: str
    # End of the daily window in UTC, exclusive, 02:30-14:29
    end_time: str
    # Comma-separated lowercase weekday names
    days_of_week: str
    # Maximum number of attempts per contact, 1-10. 1 means no redial
    max_retries: NotRequired[int]
    # Minutes from the end of an attempt to the next one, 0-1440
    retry_delay_mins: NotRequired[int]
    # Comma-separated e-mail addresses, at most 5
    notification_emails: NotRequired[str]
    # URL for events of the campaign
    campaign_webhook_url: NotRequired[str]
    # URL for events of each call
    per_call_webhook_url: NotRequired[str]
    # Id or `agent_name` of the agent
    agent_id: str
    # If true, contacts on the do-not-disturb list are not called
    perform_dnd_check: NotRequired[bool]
    # Share of first attempts that are answered, voicemail included
    assumed_answer_rate: NotRequired[float]
    # Share of redials that are answered. Default: the share of first attempts
    assumed_redial_answer_rate: NotRequired[float]
    # Talk time of an answered call, in seconds. Limited by the agent's maximum call duration
    assumed_talk_seconds: NotRequired[float]
    # Seconds from the dial to the answer, or to the end of an unanswered attempt
    assumed_ring_seconds: NotRequired[float]
    # Share of contacts on a do-not-disturb list. Used only with perform_dnd_check
    assumed_dnd_rate: NotRequired[float]
    # Simulated time of creation. Default: now
    starts_at: NotRequired[str]


class SimulatedCampaignLines(TypedDict):
    # The lower of the campaign's concurrency and the organization's maximum
    used_at_most: int
    campaign: int
    organization: int
    # Explains the assumption that all lines are free
    assumption: str


class SimulatedCampaignContacts(TypedDict):
    """Number of contacts by final state. They add up to total"""
    total: int
    # Answered, voicemail included
    completed: int
    # Not answered by the last attempt
    failed: int
    duplicate: int
    dnd: int
    expired: int
    # 0 unless a spend limit stops the campaign
    pending: int


class SimulatedCampaignExpired(TypedDict):
    """Contacts for which there is no time before the last window ends"""
    total: int
    # Contacts without any attempt. The others had no time left for a redial
    never_dialled: int
    # Row numbers of the first hundred
    rows: list[int]


class SimulatedCampaignAssumptions(TypedDict):
    """Assumptions of the request, with defaults"""
    starts_at: str
    assumed_answer_rate: float
    assumed_redial_answer_rate: float
    assumed_talk_seconds: float
    assumed_ring_seconds: float
    assumed_dnd_rate: float
    credits_per_minute: float
    # The platform's limit per trunk; null means unlimited
    calls_per_second: float | None
    # Credits per day at which a spend limit stops the campaign; null means unlimited
    spend_per_day: float | None


class SimulatedCampaign(TypedDict):
    # paused if a daily spend limit would stop it until a person resumes it
    status: Literal["completed", "paused"]
    finishes_at: str | None
    paused_at: str | None
    # Number of attempts
    total_calls: int
    answered_calls: int
    # Maximum number of live calls
    peak_lines: int
    # Cost in credits
    cost: float
    lines: SimulatedCampaignLines
    # Number of contacts by final state. They add up to total
    contacts: SimulatedCampaignContacts
    # Contacts for which there is no time before the last window ends
    expired: SimulatedCampaignExpired
    # First 5,000 days with an attempt
    calls_per_day: list[SimulatedPeriod]
    # Number of days with an attempt
    calls_per_day_total: int
    # First 5,000 hours with an attempt
    calls_per_hour: list[SimulatedPeriod]
    # Number of hours with an attempt
    calls_per_hour_total: int
    # Assumptions of the request, with defaults
    assumptions: SimulatedCampaignAssumptions


SimulatedPeriod = TypedDict("SimulatedPeriod", {"from": "str", "calls": "int", "answered": "int"})


class StoredAgentConfig(TypedDict):
    """All sections as stored. Unset ones are empty"""
    persona: dict[str, Json]
    training: dict[str, Json]
    experience: dict[str, Json]
    analysis: dict[str, Json]
    deployment: dict[str, Json]


class TrainingKnowledge(TypedDict):
    """Retrieval"""
    # Whether up to four passages of questions and knowledge that fit the words of the user are given to the model before each turn
    use_rag: NotRequired[bool | None]
    # Knowledge for `use_rag`: name to text, or to such a map, four levels deep; a million characters together. Addresses and files are not fetched
    rag_knowledge_base_dict: NotRequired[dict[str, Json] | None]


class TrainingKnowHowGuardrailsCustomRulesItem(TypedDict):
    """A rule of the organisation"""
    # Name of the rule
    name: NotRequired[str | None]
    # Phrases that trigger it: whole words, any case and punctuation
    triggers: NotRequired[list[str] | None]
    # Whether the rule applies
    active: NotRequired[bool | None]
    # What is done then; any other word acts as block
    handlingType: NotRequired[str | None]
    # What the agent says then
    response: NotRequired[str | None]


class TrainingKnowHowGuardrails(TypedDict):
    """What the agent must not talk about"""
    # `basic`: refuses what is switched on. `medium`: in the words of the user too; the model is asked to lead back, to make nothing up and to keep its role. `strict`: everything, and orders to forget the instructions. Any other word acts as medium
    level: NotRequired[str | None]
    # Refuse violence: such sentences of the agent are replaced, and the model is asked to avoid it
    violence: NotRequired[bool | None]
    # Refuse sexual content
    sexual: NotRequired[bool | None]
    # Refuse threats (spelled so by existing clients)
    threatning: NotRequired[bool | None]
    # Rules of the organisation
    custom_rules: NotRequired[list[TrainingKnowHowGuardrailsCustomRulesItem] | None]


class TrainingKnowHow(TypedDict):
    """What the agent has learnt"""
    # Question to answer. Without `use_rag` part of the instructions, up to 12,000 characters; an agent without a model answers from it
    faq: NotRequired[dict[str, Json] | None]
    # Pain point to its resolution, for the model
    pain_points: NotRequired[dict[str, Json] | None]
    # What the agent must not talk about
    guardrails: NotRequired[TrainingKnowHowGuardrails | None]


class Training(TypedDict):
    """What the agent knows"""
    # Retrieval
    knowledge: NotRequired[TrainingKnowledge | None]
    # What the agent has learnt
    know_how: NotRequired[TrainingKnowHow | None]


class Transcript(TypedDict):
    call_id: str
    # Lines prefixed AGENT: and USER:
    transcript: str
    segments: list[TranscriptSegment]


class TranscriptSegment(TypedDict):
    speaker: Literal["agent", "user"]
    text: str
    start_ms: int
    end_ms: int


class TurnExpectations(TypedDict):
    """All of them must be met. Same names and meanings as in conversation files"""
    # The agent says all of these texts, in any case
    contains: NotRequired[list[str]]
    # The agent says at least one of these texts
    contains_any: NotRequired[list[str]]
    # The agent says none of these texts
    not_contains: NotRequired[list[str]]
    # true: the agent says nothing. false: it says something
    says_nothing: NotRequired[bool]
    # Maximum number of words the agent says
    max_words: NotRequired[int]
    # true: the agent ends the call. false: it does not
    ends: NotRequired[bool]


class UpdatedCampaign(TypedDict):
    id: str
    campaign_name: str
    # paused only on request or by a spend limit or circuit breaker. The service sets scheduled before from_date and paused_out_of_range outside the window and weekdays
    campaign_status: Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]
    # Comma-separated weekday names
    days_of_week: str
    # Start of the daily window in UTC, inclusive
    time_range_from: str
    # End of the daily window in UTC, exclusive
    time_range_to: str
    call_concurrency: int
    updated_at: str


class UsedModel(TypedDict):
    # Speech-to-text, language model or text-to-speech
    kind: Literal["stt", "llm", "tts"]
    provider: str
    model: str
    # Purpose of the usage
    purpose: Literal["conversation", "analysis"]
    input_tokens: int
    # Input tokens that the provider had cached
    cached_tokens: int
    output_tokens: int
    characters: int
    audio_ms: int
    requests: int
    # In the currency of the operator's rates. Null if there is no rate for the model
    cost: float | None


class ValidationError(TypedDict):
    detail: list[InputFault]


class VersionRestored(TypedDict):
    success: Literal[True]
    # Number of the new current version
    version: int


class WebhookDelivery(TypedDict):
    id: str
    # Id of the event. The same in every retry and redelivery
    event_id: str
    # Name of the event
    event: str
    url: str
    campaign_id: str | None
    call_id: str | None
    status: Literal["pending", "delivered", "failed"]
    attempts: list[DeliveryAttempt]
    next_attempt_at: str | None


class WebhookDeliveryDetails(TypedDict):
    id: str
    # Id of the event. The same in every retry and redelivery
    event_id: str
    # Name of the event
    event: str
    url: str
    campaign_id: str | None
    call_id: str | None
    status: Literal["pending", "delivered", "failed"]
    attempts: list[DeliveryAttempt]
    next_attempt_at: str | None
    # Exact JSON body as it is signed and sent. Transcripts, summaries and contacts that were erased since then are empty
    body: str


class WebhookSecret(TypedDict):
    """Does not contain the secret itself."""
    id: str
    created_at: str
    # Signs webhooks until then. Null if it does not expire
    expires_at: str | None
    state: Literal["valid", "expired"]


class WebhookSecrets(TypedDict):
    data: list[WebhookSecret]


class CampaignStatusChangedEvent(TypedDict):
    event: Literal["campaign.status_changed"]
    # The same in every retry and redelivery: drop what was seen
    event_id: str
    campaign_id: str
    campaign_name: str
    # The last that was announced
    old_status: Literal["active", "paused", "completed", "cancelled"]
    new_status: Literal["active", "paused", "completed", "cancelled"]
    timestamp: str
    stats: CampaignStats
    # Why a brake paused it; absent where a person did
    status_reason: NotRequired[str]


class CampaignCompletedEvent(TypedDict):
    event: Literal["campaign.completed"]
    # The same in every retry and redelivery: drop what was seen
    event_id: str
    campaign_id: str
    campaign_name: str
    # The last that was announced
    old_status: Literal["active", "paused", "completed", "cancelled"]
    new_status: Literal["active", "paused", "completed", "cancelled"]
    timestamp: str
    stats: CampaignStats
    started_at: str
    ended_at: str


class CampaignCancelledEvent(TypedDict):
    event: Literal["campaign.cancelled"]
    # The same in every retry and redelivery: drop what was seen
    event_id: str
    campaign_id: str
    campaign_name: str
    # The last that was announced
    old_status: Literal["active", "paused", "completed", "cancelled"]
    new_status: Literal["active", "paused", "completed", "cancelled"]
    timestamp: str
    stats: CampaignStats
    started_at: str
    ended_at: str


class CallCompletedEventContact(TypedDict):
    name: str
    # E.164
    phone: str


class CallCompletedEvent(TypedDict):
    event: Literal["call.completed"]
    # The same in every retry and redelivery: drop what was seen
    event_id: str
    call_id: str
    campaign_id: str
    campaign_name: str
    contact: CallCompletedEventContact
    # As in the call history
    call_status: str
    # Of talk
    call_duration_seconds: int
    # The business result, else call_status
    call_outcome: str
    call_tags: list[str]
    # Lines prefixed AGENT: and USER:; empty for a call that was not answered
    transcript: str
    summary: str
    timestamp: str
    # true on a call that the person had asked for in an earlier one; else absent
    is_callback: NotRequired[bool]
    # true where the person wants no more calls; else absent
    do_not_call: NotRequired[bool]


class CallNoAnswerEventContact(TypedDict):
    name: str
    # E.164
    phone: str


class CallNoAnswerEvent(TypedDict):
    event: Literal["call.no_answer"]
    # The same in every retry and redelivery: drop what was seen
    event_id: str
    call_id: str
    campaign_id: str
    campaign_name: str
    contact: CallNoAnswerEventContact
    # As in the call history
    call_status: str
    # Of talk
    call_duration_seconds: int
    # The business result, else call_status
    call_outcome: str
    call_tags: list[str]
    # Lines prefixed AGENT: and USER:; empty for a call that was not answered
    transcript: str
    summary: str
    timestamp: str
    # true on a call that the person had asked for in an earlier one; else absent
    is_callback: NotRequired[bool]
    # true where the person wants no more calls; else absent
    do_not_call: NotRequired[bool]
    # Which dial of the contact this was; of a callback the last before it
    attempt: int
    max_attempts: int
    failure_reason: str
    # Whether the contact is dialled again
    will_retry: bool
    next_attempt_at: str | None


class CallFailedEventContact(TypedDict):
    name: str
    # E.164
    phone: str


class CallFailedEvent(TypedDict):
    event: Literal["call.failed"]
    # The same in every retry and redelivery: drop what was seen
    event_id: str
    call_id: str
    campaign_id: str
    campaign_name: str
    contact: CallFailedEventContact
    # As in the call history
    call_status: str
    # Of talk
    call_duration_seconds: int
    # The business result, else call_status
    call_outcome: str
    call_tags: list[str]
    # Lines prefixed AGENT: and USER:; empty for a call that was not answered
    transcript: str
    summary: str
    timestamp: str
    # true on a call that the person had asked for in an earlier one; else absent
    is_callback: NotRequired[bool]
    # true where the person wants no more calls; else absent
    do_not_call: NotRequired[bool]
    # Which dial of the contact this was; of a callback the last before it
    attempt: int
    max_attempts: int
    failure_reason: str
    # Whether the contact is dialled again
    will_retry: bool
    next_attempt_at: str | None


WebhookEvent: TypeAlias = "CampaignStatusChangedEvent | CampaignCompletedEvent | CampaignCancelledEvent | CallCompletedEvent | CallNoAnswerEvent | CallFailedEvent"


class ConnectedFrame(TypedDict):
    type: Literal["connected"]
    call_id: str
    # `call_status` as in the call history
    call_status: str
    # Null until the call is answered
    answered_at: str | None


class CaptionSegment(TypedDict):
    # Unique for a final segment. Interim segments of a speaker share one id for what is being said right now
    id: str
    call_id: str
    event_type: Literal["final", "interim"]
    speaker: Literal["agent", "user"]
    text: str
    # Seconds since the epoch: start of the speech or, for an interim segment, time of the report
    timestamp: float
    is_final: bool
    segment_index: int
    was_interrupted: bool
    # 0 to 1
    confidence: float | None
    language: str | None
    # Position to resume from with ?after=. Null for an interim segment
    seq: int | None


class HistoryFrame(TypedDict):
    type: Literal["history"]
    call_id: str
    segments: list[CaptionSegment]


class CallStartedFrame(TypedDict):
    type: Literal["call_started"]
    call_id: str
    # Seconds since the epoch
    timestamp: float


class TranscriptFrame(TypedDict):
    type: Literal["transcript"]
    call_id: str
    segment: CaptionSegment


class TurnStartedFrame(TypedDict):
    type: Literal["turn_started"]
    call_id: str
    # Seconds since the epoch
    timestamp: float
    speaker: Literal["agent", "user"]


class TurnEndedFrame(TypedDict):
    type: Literal["turn_ended"]
    call_id: str
    # Seconds since the epoch
    timestamp: float
    speaker: Literal["agent", "user"]


class AgentThinkingFrame(TypedDict):
    type: Literal["agent_thinking"]
    call_id: str
    # Seconds since the epoch
    timestamp: float


class InterruptedFrame(TypedDict):
    type: Literal["interrupted"]
    call_id: str
    # Seconds since the epoch
    timestamp: float


class CallEndedFrame(TypedDict):
    type: Literal["call_ended"]
    call_id: str
    # Seconds since the epoch
    timestamp: float
    # `call_status` as in the call history
    call_status: str


CaptionFrame: TypeAlias = "ConnectedFrame | HistoryFrame | CallStartedFrame | TranscriptFrame | TurnStartedFrame | TurnEndedFrame | AgentThinkingFrame | InterruptedFrame | CallEndedFrame"


class GetAgentsQuery(TypedDict):
    # Part of the display name or slug
    search: NotRequired[str]
    # Number of the page, starting at 1. If omitted, the response is a bare array of all agents
    page: NotRequired[int]
    # Maximum number of agents on a page
    page_size: NotRequired[int]
    # If true, only published agents are returned
    published_only: NotRequired[bool]


class AgentIdPath(TypedDict):
    agent_id: str


class GetAgentAgentIdQuery(TypedDict):
    # Returns `config` of this version. All other fields are current
    version: NotRequired[int]


class GetAgentAgentIdVersionsQuery(TypedDict):
    # Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected
    page: NotRequired[int]
    # Maximum number of items on a page
    page_size: NotRequired[int]


GetCallHistoryQuery = TypedDict("GetCallHistoryQuery", {"page": "NotRequired[int]", "page_size": "NotRequired[int]", "agent_id": "NotRequired[str]", "campaign_id": "NotRequired[str]", "call_id": "NotRequired[str]", "status": "NotRequired[str]", "from": "NotRequired[str]", "to": "NotRequired[str]", "search": "NotRequired[str]"})


class CallIdPath(TypedDict):
    call_id: str


class GetTranscriptCallIdQuery(TypedDict):
    # Overrides the Accept header
    format: NotRequired[Literal["json", "text"]]


class CampaignIdPath(TypedDict):
    campaign_id: str


class GetCampaignsQuery(TypedDict):
    # Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected
    page: NotRequired[int]
    # Maximum number of items on a page
    page_size: NotRequired[int]
    # Campaigns with this status
    status: NotRequired[Literal["scheduled", "active", "paused", "paused_out_of_range", "completed", "cancelled"]]


class GetCampaignsCampaignIdContactsQuery(TypedDict):
    # Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected
    page: NotRequired[int]
    # Maximum number of items on a page
    page_size: NotRequired[int]
    # Contacts in this state
    state: NotRequired[Literal["pending", "in_progress", "completed", "failed", "duplicate", "dnd", "invalid", "cancelled", "expired"]]
    # A phone number in any form that dispatch accepts, or the beginning of a name
    search: NotRequired[str]


class GetContactsQuery(TypedDict):
    # Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected
    page: NotRequired[int]
    # Maximum number of items on a page
    page_size: NotRequired[int]
    # A phone number in any form that dispatch accepts, or the beginning of a name
    search: NotRequired[str]


class GetCampaignsCampaignIdReportQuery(TypedDict):
    # Format of the file
    format: NotRequired[Literal["csv", "xlsx"]]


class GetWebhookDeliveriesQuery(TypedDict):
    # Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected
    page: NotRequired[int]
    # Maximum number of items on a page
    page_size: NotRequired[int]
    # Events of this campaign and its calls
    campaign_id: NotRequired[str]
    # Events of this call
    call_id: NotRequired[str]
    status: NotRequired[Literal["pending", "delivered", "failed"]]


class DeliveryIdPath(TypedDict):
    delivery_id: str


class GetDoNotDisturbQuery(TypedDict):
    # Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected
    page: NotRequired[int]
    # Maximum number of items on a page
    page_size: NotRequired[int]
    # Phone number in any form that dispatch accepts
    phone_number: NotRequired[str]


class GetKeysQuery(TypedDict):
    # Number of the page, starting at 1. A page that starts after the first 10,000 rows is rejected
    page: NotRequired[int]
    # Maximum number of items on a page
    page_size: NotRequired[int]


class KeyIdPath(TypedDict):
    key_id: str


class SessionIdPath(TypedDict):
    session_id: str


GetAuditQuery = TypedDict("GetAuditQuery", {"page": "NotRequired[int]", "page_size": "NotRequired[int]", "actor_kind": "NotRequired[Literal[\"api_key\", \"operator\", \"agent\", \"visitor\"]]", "actor_id": "NotRequired[str]", "action": "NotRequired[Literal[\"agent.archive\", \"agent.conversations\", \"agent.create\", \"agent.restore\", \"agent.update\", \"call.dispatch\", \"call.hangup\", \"call.listen\", \"call.transfer\", \"call.transfer_refused\", \"campaign.cancel\", \"campaign.create\", \"campaign.pause\", \"campaign.pause_all\", \"campaign.resume\", \"campaign.resume_all\", \"campaign.update\", \"console.link\", \"console.sign_in\", \"console.sign_in_failed\", \"delivery.redeliver\", \"dnd.add\", \"dnd.clear\", \"dnd.import\", \"dnd.remove\", \"key.create\", \"key.expire\", \"key.revoke\", \"mail.confirm\", \"mail.remove\", \"number.add\", \"number.import\", \"number.remove\", \"org.create\", \"org.update\", \"person.erase\", \"secret.create\", \"secret.revoke\", \"secret.rotate\", \"secrets.re-encrypt\", \"session.end\", \"storage.move\"]]", "subject_id": "NotRequired[str]", "from": "NotRequired[str]", "to": "NotRequired[str]"})

ErrorCode: TypeAlias = Literal[
    "AGENT_NOT_FOUND",
    "CALL_NOT_AUDIBLE",
    "CALL_NOT_FOUND",
    "CAMPAIGN_NOT_EDITABLE",
    "CAMPAIGN_NOT_FOUND",
    "CAMPAIGN_NOT_PAUSED",
    "CONCURRENCY_EXCEEDED",
    "CSRF_TOKEN_INVALID",
    "DELIVERY_NOT_FOUND",
    "FILE_NOT_FOUND",
    "FILE_TOO_LARGE",
    "IDEMPOTENCY_IN_PROGRESS",
    "IDEMPOTENCY_KEY_REUSED",
    "INSUFFICIENT_SCOPE",
    "INTERNAL_ERROR",
    "INVALID_API_KEY",
    "INVALID_CONTACT_FILE",
    "INVALID_DATE_RANGE",
    "INVALID_ENCODING",
    "INVALID_RETRY_CONFIG",
    "INVALID_SESSION",
    "INVALID_SIGNATURE",
    "INVALID_SIGN_IN_TOKEN",
    "INVALID_TIME_WINDOW",
    "KEY_NOT_FOUND",
    "MISSING_API_KEY",
    "NO_CONTACTS",
    "NO_DAYS_SELECTED",
    "NO_FIELDS_TO_UPDATE",
    "NUMBER_IN_USE",
    "NUMBER_NOT_YOURS",
    "OUTBOUND_NUMBER_NOT_ALLOWED",
    "PAYLOAD_TOO_LARGE",
    "QUOTA_EXCEEDED",
    "RANGE_NOT_SATISFIABLE",
    "RATE_LIMITED",
    "REALTIME_NOT_CONFIGURED",
    "RECORDING_NOT_FOUND",
    "SERVICE_UNAVAILABLE",
    "SESSION_NOT_FOUND",
    "SPEND_LIMIT_REACHED",
    "TOO_MANY_CONTACTS",
    "TOO_MANY_EMAILS",
    "TOO_MANY_KEYS",
    "TOO_MANY_SECRETS",
    "TRANSCRIPT_NOT_FOUND",
    "UNSUPPORTED_MEDIA_TYPE",
    "VALIDATION_ERROR",
    "VERSION_NOT_FOUND",
]
REQUESTS: dict[str, dict[str, bool]] = {
    "post /api/trigger-call/": {
        "idempotencyKey": True
    },
    "post /api/campaigns/create": {
        "form": True,
        "idempotencyKey": True
    },
    "post /api/campaigns/simulate": {
        "form": True,
        "reads": True
    },
    "post /api/campaigns/contact-file/preview": {
        "form": True
    }
}


class Operations:
    def _json(self, method: str, route: str, **options: Any) -> Any:
        raise NotImplementedError

    def _download(self, route: str, **options: Any) -> Any:
        raise NotImplementedError

    def _each(self, route: str, **options: Any) -> Any:
        raise NotImplementedError

    @overload
    def get(self, route: Literal["/api/agents"], /, *, query: GetAgentsQuery | None = None, headers: dict[str, str] | None = None) -> AgentPage | list[Agent]: ...
    @overload
    def get(self, route: Literal["/api/agent/{agent_id}"], /, *, path: AgentIdPath, query: GetAgentAgentIdQuery | None = None, headers: dict[str, str] | None = None) -> AgentWithConfig: ...
    @overload
    def get(self, route: Literal["/api/agent/{agent_id}/versions"], /, *, path: AgentIdPath, query: GetAgentAgentIdVersionsQuery | None = None, headers: dict[str, str] | None = None) -> AgentVersionPage: ...
    @overload
    def get(self, route: Literal["/api/agent/{agent_id}/conversations"], /, *, path: AgentIdPath, headers: dict[str, str] | None = None) -> KeptConversations: ...
    @overload
    def get(self, route: Literal["/api/call-history"], /, *, query: GetCallHistoryQuery | None = None, headers: dict[str, str] | None = None) -> CallPage: ...
    @overload
    def get(self, route: Literal["/api/call_details/{call_id}"], /, *, path: CallIdPath, headers: dict[str, str] | None = None) -> CallDetails: ...
    @overload
    def get(self, route: Literal["/api/transcript/{call_id}"], /, *, path: CallIdPath, query: GetTranscriptCallIdQuery | None = None, headers: dict[str, str] | None = None) -> Transcript: ...
    @overload
    def get(self, route: Literal["/api/campaigns/{campaign_id}/forecast"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> SimulatedCampaign: ...
    @overload
    def get(self, route: Literal["/api/campaigns/"], /, *, query: GetCampaignsQuery | None = None, headers: dict[str, str] | None = None) -> CampaignPage: ...
    @overload
    def get(self, route: Literal["/api/campaigns/{campaign_id}"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> CampaignDetail: ...
    @overload
    def get(self, route: Literal["/api/campaigns/{campaign_id}/contacts"], /, *, path: CampaignIdPath, query: GetCampaignsCampaignIdContactsQuery | None = None, headers: dict[str, str] | None = None) -> ContactPage: ...
    @overload
    def get(self, route: Literal["/api/contacts"], /, *, query: GetContactsQuery | None = None, headers: dict[str, str] | None = None) -> FoundContactPage: ...
    @overload
    def get(self, route: Literal["/api/webhook-deliveries"], /, *, query: GetWebhookDeliveriesQuery | None = None, headers: dict[str, str] | None = None) -> DeliveryPage: ...
    @overload
    def get(self, route: Literal["/api/webhook-deliveries/{delivery_id}"], /, *, path: DeliveryIdPath, headers: dict[str, str] | None = None) -> WebhookDeliveryDetails: ...
    @overload
    def get(self, route: Literal["/api/webhook-secrets"], /, *, headers: dict[str, str] | None = None) -> WebhookSecrets: ...
    @overload
    def get(self, route: Literal["/api/limits"], /, *, headers: dict[str, str] | None = None) -> Limits: ...
    @overload
    def get(self, route: Literal["/api/health"], /, *, headers: dict[str, str] | None = None) -> Health: ...
    @overload
    def get(self, route: Literal["/api/do-not-disturb"], /, *, query: GetDoNotDisturbQuery | None = None, headers: dict[str, str] | None = None) -> DoNotDisturbPage: ...
    @overload
    def get(self, route: Literal["/api/keys"], /, *, query: GetKeysQuery | None = None, headers: dict[str, str] | None = None) -> ApiKeyPage: ...
    @overload
    def get(self, route: Literal["/api/keys/{key_id}/sessions"], /, *, path: KeyIdPath, headers: dict[str, str] | None = None) -> KeySessionList: ...
    @overload
    def get(self, route: Literal["/api/audit"], /, *, query: GetAuditQuery | None = None, headers: dict[str, str] | None = None) -> AuditPage: ...
    @overload
    def get(self, route: Literal["/api/console/session"], /, *, headers: dict[str, str] | None = None) -> ConsoleSession: ...
    def get(self, route: str, /, **options: Any) -> Any:
        return self._json("get", route, **options)

    @overload
    def post(self, route: Literal["/api/create-agent"], /, *, body: CreateAgent, headers: dict[str, str] | None = None) -> CreatedAgent: ...
    @overload
    def post(self, route: Literal["/api/agent/{agent_id}/restore"], /, *, path: AgentIdPath, body: RestoreVersion, headers: dict[str, str] | None = None) -> VersionRestored: ...
    @overload
    def post(self, route: Literal["/api/trigger-call/"], /, *, body: Dispatch | SessionDispatch, idempotency_key: str | None = None, headers: dict[str, str] | None = None) -> Dispatched | BrowserSession: ...
    @overload
    def post(self, route: Literal["/api/calls/{call_id}/hangup"], /, *, path: CallIdPath, headers: dict[str, str] | None = None) -> HungUp: ...
    @overload
    def post(self, route: Literal["/api/calls/{call_id}/listen"], /, *, path: CallIdPath, headers: dict[str, str] | None = None) -> ListeningSession: ...
    @overload
    def post(self, route: Literal["/api/campaigns/create"], /, *, body: CreateCampaign, idempotency_key: str | None = None, headers: dict[str, str] | None = None) -> Campaign: ...
    @overload
    def post(self, route: Literal["/api/campaigns/simulate"], /, *, body: SimulateCampaign, headers: dict[str, str] | None = None) -> SimulatedCampaign: ...
    @overload
    def post(self, route: Literal["/api/campaigns/contact-file/preview"], /, *, body: PreviewContactFile, headers: dict[str, str] | None = None) -> ContactFilePreview: ...
    @overload
    def post(self, route: Literal["/api/campaigns/{campaign_id}/pause"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> CampaignStanding: ...
    @overload
    def post(self, route: Literal["/api/campaigns/{campaign_id}/resume"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> CampaignStanding: ...
    @overload
    def post(self, route: Literal["/api/campaigns/{campaign_id}/cancel"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> CampaignStanding: ...
    @overload
    def post(self, route: Literal["/api/campaigns/pause-all"], /, *, headers: dict[str, str] | None = None) -> AllPaused: ...
    @overload
    def post(self, route: Literal["/api/campaigns/resume-all"], /, *, headers: dict[str, str] | None = None) -> AllResumed: ...
    @overload
    def post(self, route: Literal["/api/webhook-deliveries/redeliver"], /, *, body: RedeliveryRequest, headers: dict[str, str] | None = None) -> Redelivered: ...
    @overload
    def post(self, route: Literal["/api/webhook-deliveries/{delivery_id}/redeliver"], /, *, path: DeliveryIdPath, headers: dict[str, str] | None = None) -> Done: ...
    @overload
    def post(self, route: Literal["/api/webhook-secrets/rotate"], /, *, body: SecretRotation, headers: dict[str, str] | None = None) -> RotatedSecret: ...
    @overload
    def post(self, route: Literal["/api/do-not-disturb"], /, *, body: NewDoNotDisturbNumber, headers: dict[str, str] | None = None) -> DoNotDisturbNumber: ...
    @overload
    def post(self, route: Literal["/api/do-not-disturb/remove"], /, *, body: DoNotDisturbRemoval, headers: dict[str, str] | None = None) -> Done: ...
    @overload
    def post(self, route: Literal["/api/keys"], /, *, body: NewApiKey, headers: dict[str, str] | None = None) -> IssuedApiKey: ...
    @overload
    def post(self, route: Literal["/api/keys/{key_id}/revoke"], /, *, path: KeyIdPath, headers: dict[str, str] | None = None) -> ApiKey: ...
    @overload
    def post(self, route: Literal["/api/keys/{key_id}/sessions/end"], /, *, path: KeyIdPath, headers: dict[str, str] | None = None) -> EndedSessions: ...
    @overload
    def post(self, route: Literal["/api/keys/sessions/{session_id}/end"], /, *, path: SessionIdPath, headers: dict[str, str] | None = None) -> EndedSessions: ...
    @overload
    def post(self, route: Literal["/api/console/session"], /, *, body: ConsoleSignIn, headers: dict[str, str] | None = None) -> ConsoleSession: ...
    def post(self, route: str, /, **options: Any) -> Any:
        return self._json("post", route, **options)

    @overload
    def put(self, route: Literal["/api/agent/{agent_id}/conversations"], /, *, path: AgentIdPath, body: ReplaceConversations, headers: dict[str, str] | None = None) -> Done: ...
    @overload
    def put(self, route: Literal["/api/campaigns/{campaign_id}"], /, *, path: CampaignIdPath, body: CampaignEdit | CampaignEditForm, headers: dict[str, str] | None = None) -> UpdatedCampaign: ...
    def put(self, route: str, /, **options: Any) -> Any:
        return self._json("put", route, **options)

    @overload
    def patch(self, route: Literal["/api/agent/{agent_id}/persona"], /, *, path: AgentIdPath, body: Persona, headers: dict[str, str] | None = None) -> SectionUpdated: ...
    @overload
    def patch(self, route: Literal["/api/agent/{agent_id}/training"], /, *, path: AgentIdPath, body: Training, headers: dict[str, str] | None = None) -> SectionUpdated: ...
    @overload
    def patch(self, route: Literal["/api/agent/{agent_id}/experience"], /, *, path: AgentIdPath, body: Experience, headers: dict[str, str] | None = None) -> SectionUpdated: ...
    @overload
    def patch(self, route: Literal["/api/agent/{agent_id}/analysis"], /, *, path: AgentIdPath, body: Analysis, headers: dict[str, str] | None = None) -> SectionUpdated: ...
    @overload
    def patch(self, route: Literal["/api/agent/{agent_id}/deployment"], /, *, path: AgentIdPath, body: DeploymentUpdate, headers: dict[str, str] | None = None) -> SectionUpdated: ...
    def patch(self, route: str, /, **options: Any) -> Any:
        return self._json("patch", route, **options)

    def delete(self, route: Literal["/api/agent/{agent_id}"], /, *, path: AgentIdPath, headers: dict[str, str] | None = None) -> Done:
        answer: Done = self._json("delete", route, path=path, headers=headers)
        return answer

    @overload
    def download(self, route: Literal["/api/agents"], /, *, query: GetAgentsQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/agent/{agent_id}"], /, *, path: AgentIdPath, query: GetAgentAgentIdQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/agent/{agent_id}/versions"], /, *, path: AgentIdPath, query: GetAgentAgentIdVersionsQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/agent/{agent_id}/conversations"], /, *, path: AgentIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/call-history"], /, *, query: GetCallHistoryQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/call_details/{call_id}"], /, *, path: CallIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/transcript/{call_id}"], /, *, path: CallIdPath, query: GetTranscriptCallIdQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/stream/{call_id}"], /, *, path: CallIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}/forecast"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/"], /, *, query: GetCampaignsQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}/contacts"], /, *, path: CampaignIdPath, query: GetCampaignsCampaignIdContactsQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/contacts"], /, *, query: GetContactsQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}/file"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}/report"], /, *, path: CampaignIdPath, query: GetCampaignsCampaignIdReportQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/live"], /, *, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/campaigns/{campaign_id}/live"], /, *, path: CampaignIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/webhook-deliveries"], /, *, query: GetWebhookDeliveriesQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/webhook-deliveries/{delivery_id}"], /, *, path: DeliveryIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/webhook-secrets"], /, *, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/limits"], /, *, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/health"], /, *, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/do-not-disturb"], /, *, query: GetDoNotDisturbQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/keys"], /, *, query: GetKeysQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/keys/{key_id}/sessions"], /, *, path: KeyIdPath, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/audit"], /, *, query: GetAuditQuery | None = None, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    @overload
    def download(self, route: Literal["/api/console/session"], /, *, headers: dict[str, str] | None = None) -> HTTPResponse: ...
    def download(self, route: str, /, **options: Any) -> Any:
        return self._download(route, **options)

    @overload
    def each(self, route: Literal["/api/agents"], /, *, query: GetAgentsQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[Agent]: ...
    @overload
    def each(self, route: Literal["/api/agent/{agent_id}/versions"], /, *, path: AgentIdPath, query: GetAgentAgentIdVersionsQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[AgentVersion]: ...
    @overload
    def each(self, route: Literal["/api/call-history"], /, *, query: GetCallHistoryQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[Call]: ...
    @overload
    def each(self, route: Literal["/api/campaigns/"], /, *, query: GetCampaignsQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[CampaignListItem]: ...
    @overload
    def each(self, route: Literal["/api/campaigns/{campaign_id}/contacts"], /, *, path: CampaignIdPath, query: GetCampaignsCampaignIdContactsQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[Contact]: ...
    @overload
    def each(self, route: Literal["/api/contacts"], /, *, query: GetContactsQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[FoundContact]: ...
    @overload
    def each(self, route: Literal["/api/webhook-deliveries"], /, *, query: GetWebhookDeliveriesQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[WebhookDelivery]: ...
    @overload
    def each(self, route: Literal["/api/do-not-disturb"], /, *, query: GetDoNotDisturbQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[DoNotDisturbNumber]: ...
    @overload
    def each(self, route: Literal["/api/keys"], /, *, query: GetKeysQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[ApiKey]: ...
    @overload
    def each(self, route: Literal["/api/audit"], /, *, query: GetAuditQuery | None = None, headers: dict[str, str] | None = None) -> Iterator[AuditEntry]: ...
    def each(self, route: str, /, **options: Any) -> Any:
        return self._each(route, **options)
