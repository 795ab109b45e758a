/** Reads and validates events of the carrier protocol (`docs/carrier.md`). */
import Joi from 'joi';
import type { FinalSegment } from '../../../db/calls/events';
import type { Caller } from '../../../db/calls/inbound-calls';
import { PATTERNS } from '../../../domain/agent-config/forms';
import {
  ANSWERED_BY,
  END_REASONS,
  type AnsweredBy,
  type CarrierEndReason,
} from '../../../domain/call-outcome';
import { calledNumber } from '../../../domain/inbound-call';
import { isJsonObject, type JsonObject } from '../../../domain/json';
import { LIVE_KINDS, MAX_LIVE_CHARACTERS, type LiveUpdate } from '../../../domain/live-updates';
import { ORPHANED_BY, type OrphanedBy } from '../../../domain/orphaned-call';
import { storableText } from '../../../domain/storable-text';
import { SPEAKERS, type Speaker } from '../../../domain/transcript';
import { MODEL_KINDS, type ModelUsage } from '../../../domain/usage-cost';
import type { ReportedModel, ReportedUsage } from '../../../domain/usage-report';
import type { ApiContext } from '../../http/context';
import { readInstant } from '../../http/input/fields';
import { invalidInput } from '../../http/errors/refusals';
import { jsonBody } from '../../http/input/json-body';

interface Common {
  reference: string;
  carrierId: string;
  /** When the event happened. Events are ordered by this time, not by their arrival. */
  at: string;
  /** Caller ID that the callee sees, E.164. */
  fromNumber?: string;
}

/** Model usage of a call, from the agent. */
interface UsageReport {
  type: 'usage';
  models: ModelUsage[];
  /** Milliseconds from the end of each user turn to the agent's first sound. */
  responseMs: number[];
  interruptions: number;
}

/** A callback that the callee asked for, from the agent. */
interface CallbackReport {
  type: 'callback';
  /** Null if the callee named no time. */
  callbackAt: string | null;
}

/** The fields that reports have in addition to those of all events. */
interface WireReports extends ReportedUsage {
  callback_at: string | null;
}

export type CarrierEvent =
  | (Common & { type: 'dialing' | 'ringing' })
  /** Contact with the phone was lost. It may still ring or be connected. `at` is null if the time is unknown. */
  | (Omit<Common, 'at'> & { type: 'lost'; at: string | null; by: OrphanedBy })
  | (Common & { type: 'answered'; answeredBy: AnsweredBy })
  | (Common & { type: 'segment'; segment: FinalSegment })
  | (Common & {
      type: 'ended';
      /** Carriers never report `lost`. */
      endReason: CarrierEndReason | 'lost';
      answeredBy: AnsweredBy | null;
      noAudio?: boolean;
    })
  /** Live updates, which are relayed to listeners and not stored. */
  | (Common & { type: 'live'; updates: LiveUpdate[] })
  | (Common & UsageReport)
  | (Common & CallbackReport)
  /** A caller dials one of our numbers. The call has no reference until we assign one. */
  | { type: 'inbound'; caller: Caller };

const TYPES = [
  'inbound',
  'dialing',
  'ringing',
  'answered',
  'lost',
  'segment',
  'live',
  'usage',
  'callback',
  'ended',
] as const;

interface WireEvent extends WireReports {
  type: (typeof TYPES)[number];
  carrier_id: string;
  reference: string;
  to: string;
  from: string | null;
  at: string;
  by: OrphanedBy;
  answered_by: AnsweredBy | null;
  end_reason: CarrierEndReason;
  no_audio: boolean;
  speaker: Speaker;
  text: string;
  start_ms: number;
  end_ms: number;
  interrupted: boolean;
  confidence: number | null;
  language: string | null;
  /** Live updates, named as in the protocol. */
  news: LiveUpdate[];
}

const milliseconds = Joi.number().integer().min(0).max(2_147_483_647);

const instant = Joi.string().custom(
  (text: string, helpers) => readInstant(text) ?? helpers.error('any.invalid'),
);

/** Rejected instead of cleaned, because the id must match the call at the carrier. */
const storableId = Joi.string()
  .max(200)
  .custom((text: string, helpers) => (storableText(text) === text ? text : helpers.error('any.invalid')));

/** The column is a `real`, which can't hold values like 1e-50. */
const CONFIDENCE_STEPS = 1_000_000;
const confidenceOf = (given: number | null): number | null =>
  given === null ? null : Math.round(given * CONFIDENCE_STEPS) / CONFIDENCE_STEPS;

/** The agent sends fewer per event. */
const MAX_UPDATES = 50;

const liveUpdates = Joi.object<LiveUpdate>({
  kind: Joi.string()
    .valid(...LIVE_KINDS)
    .required(),
  at: instant.required(),
  speaker: Joi.string().valid(...SPEAKERS),
  text: Joi.string().allow('').max(MAX_LIVE_CHARACTERS),
}).options({ stripUnknown: true });

const count = Joi.number().integer().min(0).max(Number.MAX_SAFE_INTEGER).default(0);
const name = Joi.string().allow('').max(200);

const MODELS = Joi.array()
  .max(50)
  .items(
    Joi.object<ReportedModel>({
      kind: Joi.string()
        .valid(...MODEL_KINDS)
        .required(),
      provider: name.required(),
      model: name.required(),
      input_tokens: count,
      cached_tokens: count,
      output_tokens: count,
      characters: count,
      audio_ms: count,
      requests: count,
    }).unknown(),
  );

/** More than the turns of the fastest hour-long call. */
const RESPONSES = Joi.array().max(5_000).items(Joi.number().min(0).max(3_600_000));
const INTERRUPTIONS = Joi.number().integer().min(0).max(100_000);

/** The fields of each type. Fields of other types are ignored. */
const FIELDS: Record<WireEvent['type'], Joi.SchemaMap> = {
  inbound: {
    to: Joi.string().max(64).pattern(/\d/).required(),
    // Carriers send nothing or a word for a withheld number. In all other types of event an invalid number is ignored.
    from: Joi.string().allow('', null).max(64).default(null),
  },
  dialing: {},
  ringing: {},
  answered: {},
  lost: {
    by: Joi.string()
      .valid(...ORPHANED_BY)
      .required(),
  },
  segment: {
    speaker: Joi.string()
      .valid(...SPEAKERS)
      .required(),
    text: Joi.string().allow('').max(20_000).required(),
    start_ms: milliseconds.required(),
    end_ms: milliseconds.required(),
    interrupted: Joi.boolean().default(false),
    confidence: Joi.number().min(0).max(1).allow(null).default(null),
    language: Joi.string().allow('', null).max(35).default(null),
  },
  live: { news: Joi.array().items(liveUpdates).min(1).max(MAX_UPDATES).required() },
  usage: {
    models: MODELS.required(),
    response_ms: RESPONSES.default([]),
    interruptions: INTERRUPTIONS.default(0),
  },
  callback: { callback_at: instant.allow(null).default(null) },
  ended: {
    end_reason: Joi.string()
      .valid(...END_REASONS)
      .required(),
    no_audio: Joi.boolean().default(false),
  },
};

const REFERENCE = Joi.string()
  .pattern(/^[A-Za-z0-9._-]{3,128}$/)
  .required();

const schemaOf = (type: WireEvent['type'] | null): Joi.ObjectSchema<WireEvent> =>
  Joi.object<WireEvent>({
    type: Joi.string()
      .valid(...TYPES)
      .required(),
    carrier_id: storableId.required(),
    ...(type !== 'inbound' && { reference: REFERENCE }),
    at: instant.required(),
    answered_by: Joi.string()
      .valid(...ANSWERED_BY)
      .allow(null)
      .default(null),
    ...(type !== null && FIELDS[type]),
  }).unknown();

/** Each type has its own schema, because a schema with conditions takes twice as long to validate. */
const SCHEMAS: ReadonlyMap<unknown, Joi.ObjectSchema<WireEvent>> = new Map(
  TYPES.map((type) => [type, schemaOf(type)]),
);
const WITHOUT_TYPE = schemaOf(null);

/** The longest event reports every turn of an hour-long call. */
const MAX_VALUES = 20_000;

/** Fields that `readCarrierEvent` cleans. Rejecting the event for half an emoji would lose what was said. */
export const CLEANED_FIELDS = ['text', 'language', 'from', 'news', 'models'] as const;

export const readEvent = async (ctx: ApiContext): Promise<CarrierEvent> =>
  eventIn(await jsonBody(ctx, { maxValues: MAX_VALUES, mayLoseDigits: true, checkedApart: CLEANED_FIELDS }));

/** Faults name fields but not values, which may contain what was said. */
export function eventIn(body: JsonObject): CarrierEvent {
  const read = readCarrierEvent(body);
  if ('event' in read) return read.event;
  throw invalidInput(
    read.faults.map((name) => ({
      loc: ['body', name],
      msg: 'is missing or invalid. See the carrier protocol',
      type: 'event',
    })),
  );
}

/** Returns the names of invalid fields, never their values, which may contain what was said. */
export function readCarrierEvent(body: unknown): { event: CarrierEvent } | { faults: string[] } {
  const schema = (isJsonObject(body) && SCHEMAS.get(body.type)) || WITHOUT_TYPE;
  const read = schema.validate(body, { abortEarly: false, convert: false });
  if (read.error === undefined) return { event: fromWire(read.value) };
  return { faults: read.error.details.map(({ path }) => path.join('.') || 'body') };
}

function fromWire(wire: WireEvent): CarrierEvent {
  const { reference, carrier_id: carrierId, at } = wire;
  const common = { reference, carrierId, at, ...shownNumber(wire) };
  switch (wire.type) {
    case 'inbound': {
      const from = /\d/.test(wire.from ?? '') ? storableText(wire.from ?? '').trim() : null;
      return { type: 'inbound', caller: { carrierId, to: calledNumber(wire.to), from, at } };
    }
    case 'dialing':
    case 'ringing':
      return { ...common, type: wire.type };
    case 'lost':
      return { ...common, type: 'lost', by: wire.by };
    case 'answered':
      return { ...common, type: 'answered', answeredBy: wire.answered_by ?? 'unknown' };
    case 'segment': {
      const { speaker, text, start_ms: startMs, end_ms: endMs, interrupted, confidence, language } = wire;
      const said = {
        interrupted,
        confidence: confidenceOf(confidence),
        language: language === null ? null : storableText(language) || null,
      };
      return {
        ...common,
        type: 'segment',
        segment: { speaker, text: storableText(text), startMs, endMs, ...said },
      };
    }
    case 'live':
      return { ...common, type: 'live', updates: wire.news.map(storableUpdate) };
    case 'usage':
      return { ...common, ...usageReport(wire) };
    case 'callback':
      return { ...common, type: 'callback', callbackAt: wire.callback_at };
    case 'ended':
      return {
        ...common,
        type: 'ended',
        endReason: wire.end_reason,
        answeredBy: wire.answered_by,
        ...(wire.no_audio && { noAudio: true }),
      };
  }
}

/** Events of our agent and of LiveKit have no number. */
function shownNumber({ from }: Pick<WireEvent, 'from'>): { fromNumber?: string } {
  return typeof from === 'string' && PATTERNS.e164.test(from) ? { fromNumber: from } : {};
}

const storableUpdate = (update: LiveUpdate): LiveUpdate =>
  update.text === undefined ? update : { ...update, text: storableText(update.text) };

const usageReport = ({ models, response_ms, interruptions }: WireReports): UsageReport => ({
  type: 'usage',
  models: models.map((wire) => ({
    kind: wire.kind,
    provider: storableText(wire.provider),
    model: storableText(wire.model),
    inputTokens: wire.input_tokens,
    cachedTokens: wire.cached_tokens,
    outputTokens: wire.output_tokens,
    characters: wire.characters,
    audioMs: wire.audio_ms,
    requests: wire.requests,
  })),
  responseMs: response_ms.map(Math.round),
  interruptions,
});
