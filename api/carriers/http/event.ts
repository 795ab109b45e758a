/** An event of the carrier protocol (`docs/carrier.md`), checked and in our words. */
import Joi from 'joi';
import type { FinalSegment } from '../../../db/calls/events';
import type { Caller } from '../../../db/calls/inbound-calls';
import { readInstant } from '../../http/input/instant';
import {
  ANSWERED_BY,
  END_REASONS,
  type AnsweredBy,
  type CarrierEndReason,
} from '../../../domain/call-outcome';
import { PATTERNS } from '../../../domain/agent-config/forms';
import { calledNumber } from '../../../domain/inbound-call';
import { LIVE_KINDS, MOST_LIVE_CHARACTERS, type LiveUpdate } from '../../../domain/live-updates';
import { storableText } from '../../../domain/storable-text';
import { STRANDED_BY, type StrandedBy } from '../../../domain/stranded-call';
import { SPEAKERS, type Speaker } from '../../../domain/transcript';
import {
  INTERRUPTIONS,
  MODELS,
  RESPONSES,
  usageReport,
  type CallbackReport,
  type UsageReport,
  type WireReports,
} from './report-event';

interface Common {
  reference: string;
  carrierId: string;
  /** The truth about order and time; arrival is not. */
  at: string;
  /** The number that is shown to the callee, E.164. */
  fromNumber?: string;
}

export type CarrierEvent =
  | (Common & { type: 'dialing' | 'ringing' })
  /** Its phone cannot be reached any more, and may ring or be connected; `at`: null where nobody knows since when. */
  | (Omit<Common, 'at'> & { type: 'lost'; at: string | null; by: StrandedBy })
  | (Common & { type: 'answered'; answeredBy: AnsweredBy })
  | (Common & { type: 'segment'; segment: FinalSegment })
  | (Common & {
      type: 'ended';
      /** A carrier reports none as `lost`. */
      endReason: CarrierEndReason | 'lost';
      answeredBy: AnsweredBy | null;
      noAudio?: boolean;
    })
  /** What happens while it happens: passed on to listeners, kept nowhere. */
  | (Common & { type: 'live'; updates: LiveUpdate[] })
  | (Common & UsageReport)
  | (Common & CallbackReport)
  /** A caller rings one of our numbers: it has no reference until we give one. */
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
  by: StrandedBy;
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
  /** Live updates, under the name that the protocol gives them. */
  news: LiveUpdate[];
}

const of = (type: WireEvent['type'], schema: Joi.Schema): Joi.Schema =>
  Joi.when('type', { is: type, then: schema.required(), otherwise: Joi.any() });

/** What other types have under the name is theirs. */
const optionalOf = (type: WireEvent['type'], schema: Joi.Schema): Joi.Schema =>
  Joi.when('type', { is: type, then: schema, otherwise: Joi.any() });

const milliseconds = Joi.number().integer().min(0).max(2_147_483_647);

const instant = Joi.string().custom(
  (text: string, helpers) => readInstant(text) ?? helpers.error('any.invalid'),
);

/** The text identifies the call at the carrier, so it is refused rather than changed. */
const storableId = Joi.string()
  .max(200)
  .custom((text: string, helpers) => (storableText(text) === text ? text : helpers.error('any.invalid')));

/** Its column is a `real`, which has no value for 1e-50. */
const CONFIDENCE_STEPS = 1_000_000;
const confidenceOf = (given: number | null): number | null =>
  given === null ? null : Math.round(given * CONFIDENCE_STEPS) / CONFIDENCE_STEPS;

/** The agent sends fewer. */
const MOST_UPDATES = 50;

const liveUpdates = Joi.object<LiveUpdate>({
  kind: Joi.string()
    .valid(...LIVE_KINDS)
    .required(),
  at: instant.required(),
  speaker: Joi.string().valid(...SPEAKERS),
  text: Joi.string().allow('').max(MOST_LIVE_CHARACTERS),
}).options({ stripUnknown: true });

const schema = Joi.object<WireEvent>({
  type: Joi.string()
    .valid(...TYPES)
    .required(),
  carrier_id: storableId.required(),
  reference: Joi.when('type', {
    is: 'inbound',
    then: Joi.any(),
    otherwise: Joi.string()
      .pattern(/^[A-Za-z0-9._-]{3,128}$/)
      .required(),
  }),
  to: of('inbound', Joi.string().max(64).pattern(/\d/)),
  // Withheld numbers come as nothing, or as a word. Another type's number is used if it is E.164, and no event is refused for it.
  from: Joi.when('type', { is: 'inbound', then: Joi.string().allow('', null).max(64).default(null) }),
  at: instant.required(),
  by: of('lost', Joi.string().valid(...STRANDED_BY)),
  answered_by: Joi.string()
    .valid(...ANSWERED_BY)
    .allow(null)
    .default(null),
  end_reason: of('ended', Joi.string().valid(...END_REASONS)),
  no_audio: optionalOf('ended', Joi.boolean().default(false)),
  speaker: of('segment', Joi.string().valid(...SPEAKERS)),
  text: of('segment', Joi.string().allow('').max(20_000)),
  start_ms: of('segment', milliseconds),
  end_ms: of('segment', milliseconds),
  interrupted: optionalOf('segment', Joi.boolean().default(false)),
  confidence: optionalOf('segment', Joi.number().min(0).max(1).allow(null).default(null)),
  language: optionalOf('segment', Joi.string().allow('', null).max(35).default(null)),
  news: of('live', Joi.array().items(liveUpdates).min(1).max(MOST_UPDATES)),
  models: of('usage', MODELS),
  response_ms: optionalOf('usage', RESPONSES.default([])),
  interruptions: optionalOf('usage', INTERRUPTIONS.default(0)),
  callback_at: optionalOf('callback', instant.allow(null).default(null)),
}).unknown();

/** Returns the names of the wrong fields, never their values: they hold what was said. */
export function readCarrierEvent(body: unknown): { event: CarrierEvent } | { faults: string[] } {
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

/** An event of our agent or LiveKit has no number. */
function shownNumber({ from }: Pick<WireEvent, 'from'>): { fromNumber?: string } {
  return typeof from === 'string' && PATTERNS.e164.test(from) ? { fromNumber: from } : {};
}

const storableUpdate = (update: LiveUpdate): LiveUpdate =>
  update.text === undefined ? update : { ...update, text: storableText(update.text) };
