/**
 * Reads the SIP messages that SIPp logs with `-trace_msg`. They show what was sent over the network, independently of the platform's own
 * records.
 */
import { readFileSync } from 'node:fs';
import { errorCode } from '../../../db/kernel/error-code';

interface SipMessage {
  at: Date;
  /** True if SIPp sent the message, false if SIPp received it. */
  isSent: boolean;
  /** Null for a response. */
  method: string | null;
  /** Null for a request. */
  status: number | null;
  /** For example `1 INVITE`. A response repeats the value of its request. */
  cseq: string;
  callId: string;
  text: string;
}

/** An INVITE and all other messages with the same Call-ID. */
export interface SipCall {
  callId: string;
  /** The digits of the called number, as dialled. */
  to: string;
  /** Port that the INVITE names for later requests. In an outbound call, this is the bridge's port. */
  contactPort: number | null;
  messages: readonly SipMessage[];
  /** Methods and statuses in order, without repetitions: `INVITE 100 180 200 ACK BYE 200`. */
  ladder: string;
  invitedAt: Date;
  /** Time of the 200 response to the INVITE. Null if there is none. */
  answeredAt: Date | null;
  /** Time of the first BYE, CANCEL or rejection. Null while the call is live. */
  endedAt: Date | null;
}

const BLOCK =
  /^-{20,} (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3})\d*\n\w+ message (sent|received) [[(]\d+.*\n\n/gm;

/** Returns the messages in a log, except for a message that is not completely written yet. SIPp must run with `TZ=UTC`. */
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

/** Returns the value of the first header with this name, or null. */
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

/** A 401 or 407 doesn't end the call, because the bridge repeats the INVITE with credentials. */
const endsCall = ({ method, status, cseq }: SipMessage): boolean =>
  method === 'BYE' ||
  method === 'CANCEL' ||
  (cseq.endsWith(' INVITE') && status !== null && status >= 300 && status !== 401 && status !== 407);

/** Returns the largest number of calls that were live at the same time. A call that begins when another ends doesn't overlap it. */
export function peakOf(calls: readonly Pick<SipCall, 'invitedAt' | 'endedAt'>[]): number {
  const steps = calls.flatMap(({ invitedAt, endedAt }) => [
    { at: invitedAt.getTime(), by: 1 },
    ...(endedAt === null ? [] : [{ at: endedAt.getTime(), by: -1 }]),
  ]);
  steps.sort((one, other) => one.at - other.at || one.by - other.by);
  let alive = 0;
  return Math.max(0, ...steps.map(({ by }) => (alive += by)));
}

/** Returns the calls in a log so far, or only those to `number`. */
export function readSipCalls(file: string, number?: string): SipCall[] {
  const calls = callsIn(messagesIn(read(file)));
  const digits = number?.replace(/\D/g, '');
  return digits === undefined ? calls : calls.filter(({ to }) => to === digits);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // SIPp creates the file with the first message.
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
