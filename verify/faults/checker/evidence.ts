/**
 * Reads the evidence of a run. The checker trusts the logs of the carrier and the receiver most, then the runner's record of requests and
 * faults, and Postgres least. It shares no code with the engine.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';

export function msOf(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new Error(`no instant: ${iso}`);
  return ms;
}

export const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Masks a phone number for violation messages. */
export const masked = (number: string): string => `${number.slice(0, 3)}…${number.slice(-2)}`;

/** A value with its line number in the file, starting at 1. */
export type Line<T> = T & { line: number };

/**
 * Returns the log lines that match `schema`. Skips lines that `isMeant` rejects, and lines that aren't JSON because a killed process left
 * them incomplete.
 * @throws ValidationError if a line that `isMeant` accepts doesn't match, Error if the file is missing
 */
function readLines<T extends object>(
  path: string,
  schema: Joi.ObjectSchema<T>,
  isMeant: (value: object) => boolean = () => true,
): Line<T>[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const value = parsed(text);
    if (value === null || !isMeant(value)) return [];
    return [{ ...fitting(value, schema, `${path}:${index + 1}`), line: index + 1 }];
  });
}

/** Same as `readLines`, but returns an empty list if the file does not exist. */
function readLinesIfAny<T extends object>(path: string, schema: Joi.ObjectSchema<T>): Line<T>[] {
  return existsSync(path) ? readLines(path, schema) : [];
}

function readList<T extends object>(path: string, schema: Joi.ObjectSchema<T>): T[] {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(value)) throw new Error(`${path} holds no list`);
  return value.map((each, index) => fitting<T>(each, schema, `${path}[${index}]`));
}

function readObject<T extends object>(path: string, schema: Joi.ObjectSchema<T>): T {
  return fitting<T>(JSON.parse(readFileSync(path, 'utf8')), schema, path);
}

function fitting<T extends object>(value: unknown, schema: Joi.ObjectSchema<T>, where: string): T {
  const result = schema.validate(value, { allowUnknown: true, convert: false });
  if (result.error === undefined) return result.value;
  throw new Error(`${where}: ${result.error.message}`, { cause: result.error });
}

function parsed(text: string): object | null {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A line of the simulator's log about a call. `at` is a time on the simulator's clock. */
export interface CarrierLine {
  kind: 'placed' | 'state' | 'request' | 'event';
  at: string;
  method?: string;
  path?: string;
  /** Status of a request or an event; null if there was no response. */
  status?: number | null;
  /** Type of an event. */
  type?: string;
  direction?: 'outbound' | 'inbound';
  carrier_id?: string;
  reference?: string | null;
  to?: string;
  from?: string | null;
  state?: string;
  end_reason?: string | null;
}

export interface ReceiverLine {
  at: string;
  event: string | null;
  event_id: string | null;
  /** Attempt number from the delivery's header, starting at 1. */
  attempt: number | null;
  call_id: string | null;
  campaign_id: string | null;
  valid: boolean;
  fault: string | null;
  status: number;
  /** The two signature headers as received. If they are missing, the checker relies on `valid`. */
  timestamp?: string | null;
  signature?: string | null;
}

export type ShiftedProcess = 'simulator' | 'api' | 'worker';

export interface ClockChange {
  at: string;
  process: ShiftedProcess;
  /** How far the process's clock is ahead of true time. */
  offset_ms: number;
}

/**
 * A request that the runner sent. `status` is null if no response arrived; `answered_at` is then when the runner stopped waiting, if known.
 */
export interface ApiRequest {
  sent_at: string;
  answered_at: string | null;
  method: string;
  path: string;
  status: number | null;
  body?: unknown;
  request?: unknown;
}

export interface Fault {
  at: string;
  until: string | null;
  fault: string;
  target?: string | null;
}

export interface Restart {
  process: string;
  killed_at: string;
  started_at: string | null;
  ready_at: string | null;
}

export interface Contact {
  row: number;
  name: string;
  phone_number: string;
  /** All zones in which the contact may be. Known only for a campaign with time zones or rule profiles. */
  zones?: string[];
  /** The person agreed to be called. */
  consent?: boolean;
}

/** The fields of a rule profile that the checker knows, as in the API. */
export interface ProfileRecord {
  hours: Record<string, (readonly [start: string, end: string])[]>;
  ambiguous_zone: 'strictest' | 'skip';
  max_per_day: number | null;
  max_per_7_days: number | null;
  min_gap_minutes: number;
  consent: 'none' | 'required';
}

/**
 * The campaign as it was created. `edits` are the changes that the runner intended; the requests show which were sent and got a response.
 */
export interface CampaignRecord {
  id: string;
  organization_id: string;
  concurrency: number;
  max_retries: number;
  retry_delay_mins: number;
  from_date: string;
  to_date: string;
  start_time: string;
  end_time: string;
  days_of_week: string;
  contacts: Contact[];
  /** `contact` or an IANA name. Absent or null for UTC. */
  window_timezone?: string | null;
  /** Rule profiles of the organization and the campaign. Absent for a campaign without time zones and profiles. */
  profiles?: ProfileRecord[];
}

export interface OrganizationRecord {
  id: string;
  max_concurrency: number;
  secret: string;
}

/** A workflow that was still open in Temporal at the end of the run. */
export interface OpenWorkflow {
  workflow_id: string;
  type: string;
}

/** Log line in which a process reports that a workflow failed to replay. */
interface ReplayFailure {
  file: string;
  line: number;
}

export interface Evidence {
  carrier: Line<CarrierLine>[];
  receiver: Line<ReceiverLine>[];
  clock: ClockChange[];
  requests: Line<ApiRequest>[];
  faults: Fault[];
  restarts: Restart[];
  campaigns: CampaignRecord[];
  organizations: OrganizationRecord[];
  openWorkflows: OpenWorkflow[];
  replayFailures: ReplayFailure[];
}

const text = Joi.string().required();
const textOrNull = Joi.string().allow(null, '').required();
const instant = Joi.string().isoDate().required();
const instantOrNull = Joi.string().isoDate().allow(null).default(null);
const integer = Joi.number().integer().required();

const CARRIER_LINE = Joi.object<CarrierLine>({
  kind: Joi.valid('placed', 'state', 'request', 'event').required(),
  at: instant,
});
const RECEIVER_LINE = Joi.object<ReceiverLine>({
  at: instant,
  event: textOrNull,
  event_id: textOrNull,
  attempt: Joi.number().integer().allow(null).required(),
  valid: Joi.boolean().required(),
  status: integer,
});
const CLOCK_CHANGE = Joi.object<ClockChange>({
  at: instant,
  process: Joi.valid('simulator', 'api', 'worker').required(),
  offset_ms: Joi.number().required(),
});
const API_REQUEST = Joi.object<ApiRequest>({
  sent_at: instant,
  answered_at: instantOrNull,
  method: text,
  path: text,
  status: Joi.number().integer().allow(null).required(),
});
const FAULT = Joi.object<Fault>({ at: instant, until: instantOrNull, fault: text });
const RESTART = Joi.object<Restart>({
  process: text,
  killed_at: instant,
  started_at: instantOrNull,
  ready_at: instantOrNull,
});
const CAMPAIGN = Joi.object<CampaignRecord>({
  id: text,
  organization_id: text,
  concurrency: integer,
  max_retries: integer,
  retry_delay_mins: integer,
  from_date: text,
  to_date: text,
  start_time: text,
  end_time: text,
  days_of_week: text,
  contacts: Joi.array()
    .items(Joi.object({ row: integer, phone_number: text }).unknown())
    .required(),
});
const ORGANIZATION = Joi.object<OrganizationRecord>({ id: text, max_concurrency: integer, secret: text });
const OPEN_WORKFLOW = Joi.object<OpenWorkflow>({ workflow_id: text, type: text });
const DATABASE = Joi.object<{ url: string }>({ url: text });

const OF_CALLS: ReadonlySet<unknown> = new Set(['placed', 'state', 'request', 'event']);
const isAboutCall = (value: object): boolean => 'kind' in value && OF_CALLS.has(value.kind);

/** @throws Error if a file is missing or its evidence is invalid */
export function readEvidence(folder: string): Evidence {
  const file = (name: string): string => join(folder, name);
  return {
    carrier: readLines(file('simulator.jsonl'), CARRIER_LINE, isAboutCall),
    receiver: readLinesIfAny(file('receiver.jsonl'), RECEIVER_LINE),
    clock: readLinesIfAny(file('clock.jsonl'), CLOCK_CHANGE),
    requests: readLines(file('acknowledged.jsonl'), API_REQUEST),
    faults: readLinesIfAny(file('faults.jsonl'), FAULT),
    restarts: readLinesIfAny(file('restarts.jsonl'), RESTART),
    campaigns: readList(file('campaigns.json'), CAMPAIGN),
    organizations: readList(file('organizations.json'), ORGANIZATION),
    openWorkflows: readList(file('open-workflows.json'), OPEN_WORKFLOW),
    replayFailures: replayFailures(file('logs')),
  };
}

/** The SDK's error code for a workflow whose commands differ from its history. */
const DOES_NOT_REPLAY = /TMPRL1100/;

function replayFailures(logFolder: string): ReplayFailure[] {
  const logs = readdirSync(logFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.log/.test(name),
  );
  return logs.flatMap((name) =>
    readFileSync(join(logFolder, name), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        DOES_NOT_REPLAY.test(line) ? [{ file: `logs/${name}`, line: index + 1 }] : [],
      ),
  );
}

export const readDatabaseUrl = (folder: string): string =>
  readObject(join(folder, 'database.json'), DATABASE).url;
