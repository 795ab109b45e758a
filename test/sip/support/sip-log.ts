/** What SIPp's `-trace_msg` shows: the messages that crossed the wire, apart from all that the platform says of itself. */
import { readFileSync } from 'node:fs';
import { errorCode } from '../../../db/kernel/error-code';

export interface SipMessage {
  at: Date;
  /** By SIPp. */
  isSent: boolean;
  /** Of a request, else null. */
  method: string | null;
  /** Of a response, else null. */
  status: number | null;
  /** Of the request that this is, or responds to: `1 INVITE`. */
  cseq: string;
  callId: string;
  text: string;
}

/** One dialog: an INVITE and all that followed under its Call-ID. */
export interface SipCall {
  callId: string;
  /** The digits of the called number, as dialled. */
  to: string;
  /** That its INVITE names for further requests: of a call of ours, that of its bridge. */
  contactPort: number | null;
  messages: readonly SipMessage[];
  /** Methods and statuses in order, each once in a row however often it was repeated: `INVITE 100 180 200 ACK BYE 200`. */
  ladder: string;
  invitedAt: Date;
  /** The 200 to the INVITE; null for none. */
  answeredAt: Date | null;
  /** Its first BYE or CANCEL, or the refusal; null while it lives. */
  endedAt: Date | null;
}

const BLOCK =
  /^-{20,} (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3})\d*\n\w+ message (sent|received) [[(]\d+.*\n\n/gm;

/** SIPp runs with `TZ=UTC`. A message of which only the first part is written by now is left out. */
export function messagesIn(log: string): SipMessage[] {
  const heads = [...log.matchAll(BLOCK)];
  return heads.flatMap((head, index): SipMessage[] => {
    const [whole, day, time, direction] = head;
    const text = log.slice(head.index + whole.length, heads[index + 1]?.index);
    const [, method = null, status] = START.exec(text) ?? [];
    const callId = headerOf(text, 'Call-ID|i');
    const cseq = headerOf(text, 'CSeq');
    if (callId === null || cseq === null) return [];
    const common = { at: new Date(`${day}T${time}Z`), isSent: direction === 'sent', cseq, callId, text };
    return [{ ...common, method, status: status === undefined ? null : Number(status) }];
  });
}

const START = /^(?:([A-Z]+) \S+ SIP\/2\.0|SIP\/2\.0 (\d{3}))/;

/** The value of the first header of this name; null for none. */
export function headerOf(text: string, name: string): string | null {
  return new RegExp(`^(?:${name})[ \\t]*:[ \\t]*(.*?)[ \\t\\r]*$`, 'im').exec(text)?.[1] ?? null;
}

export function callsIn(messages: readonly SipMessage[]): SipCall[] {
  const callIds = [...new Set(messages.map(({ callId }) => callId))];
  return callIds.flatMap((callId) => {
    const of = messages.filter((message) => message.callId === callId);
    const invite = of.find(({ method }) => method === 'INVITE');
    if (invite === undefined) return [];
    const to = /sip:\+?(\d+)@/.exec(headerOf(invite.text, 'To|t') ?? '')?.[1] ?? '';
    const contact = /sips?:(?:[^@>]*@)?[^:;>]+:(\d+)/.exec(headerOf(invite.text, 'Contact|m') ?? '')?.[1];
    const answer = of.find(({ status, cseq }) => status === 200 && cseq.endsWith(' INVITE'));
    return {
      callId,
      to,
      contactPort: contact === undefined ? null : Number(contact),
      messages: of,
      ladder: of.map(stepOf).filter(isNoRepetition).join(' '),
      invitedAt: invite.at,
      answeredAt: answer?.at ?? null,
      endedAt: of.find(endsCall)?.at ?? null,
    };
  });
}

const stepOf = ({ method, status }: SipMessage): string => method ?? String(status);

const isNoRepetition = (step: string, index: number, steps: readonly string[]): boolean =>
  step !== steps[index - 1];

/** 401 and 407 ask for the INVITE again. */
const endsCall = ({ method, status, cseq }: SipMessage): boolean =>
  method === 'BYE' ||
  method === 'CANCEL' ||
  (cseq.endsWith(' INVITE') && status !== null && status >= 300 && status !== 401 && status !== 407);

/** The most calls that were alive at one instant. One that begins as another ends is not beside it. */
export function peakOf(calls: readonly Pick<SipCall, 'invitedAt' | 'endedAt'>[]): number {
  const steps = calls.flatMap(({ invitedAt, endedAt }) => [
    { at: invitedAt.getTime(), by: 1 },
    ...(endedAt === null ? [] : [{ at: endedAt.getTime(), by: -1 }]),
  ]);
  steps.sort((one, other) => one.at - other.at || one.by - other.by);
  let alive = 0;
  return Math.max(0, ...steps.map(({ by }) => (alive += by)));
}

/** The calls of a log so far, those to one number where it is given. */
export function readSipCalls(file: string, number?: string): SipCall[] {
  const calls = callsIn(messagesIn(read(file)));
  const digits = number?.replace(/\D/g, '');
  return digits === undefined ? calls : calls.filter(({ to }) => to === digits);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // SIPp makes it with the first message.
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
