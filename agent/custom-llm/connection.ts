/**
 * Connects a call to a custom LLM server by a WebSocket that is opened early, kept open and reopened after a loss. The server's messages
 * are untrusted input.
 */
import { WebSocket, type RawData } from 'ws';
import type { Unchecked } from '../../domain/custom-llm-messages';
import { isJsonObject, parsedJson } from '../../domain/json';
import { AddressRefused } from '../../runtime/network/guarded-lookup';
import type { Log } from '../log';
import type { Guard } from '../network/guarded-agent';

const OPEN_LIMIT_MS = 5_000;
/** A complete answer in one message takes about 10 KB. */
const MAX_MESSAGE_BYTES = 256 * 1024;
/** Limit for data that was sent but not yet read by the server. */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** Many proxies close connections that are silent for a minute. */
const PING_EVERY_MS = 20_000;
const RECONNECT_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** A connection that stayed open this long resets the back-off. */
const STABLE_AFTER_MS = 10_000;
const UNREADABLE: ServerMessage = { kind: 'unreadable' };

export interface ConnectionOptions {
  url: string;
  authToken: string | null;
  callId: string;
  guard: Guard;
  log: Log;
}

interface ConnectionListener {
  opened(): void;
  message(message: ServerMessage): void;
  lost(failure: NoAnswer): void;
}

export class Connection {
  /** Set as soon as the connection attempt starts. */
  private socket: WebSocket | null = null;
  private opening: Promise<void> | null = null;
  private reconnectTimer: NodeJS.Timeout | undefined;
  private failures = 0;
  /** Set once no further connection attempt can succeed. */
  private finalFailure: NoAnswer | null = null;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly listener: ConnectionListener,
  ) {}

  /** Connects without waiting for the back-off. Throws `NoAnswer`. */
  async open(): Promise<void> {
    if (this.finalFailure !== null) throw this.finalFailure;
    if (this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.reconnectTimer);
    this.opening ??= this.connect().finally(() => (this.opening = null));
    await this.opening;
  }

  /** Throws `NoAnswer` when the socket is not open. */
  send(message: object): void {
    if (this.socket?.readyState !== WebSocket.OPEN)
      throw this.finalFailure ?? new NoAnswer('lost', 'the connection is lost');
    this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.finalFailure ??= new NoAnswer('closed', 'the call is over');
    clearTimeout(this.reconnectTimer);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.close(1000);
    else this.socket?.terminate();
    this.socket = null;
  }

  private async connect(): Promise<void> {
    try {
      const socket = this.createSocket();
      this.socket = socket;
      await this.opened(socket);
    } catch (error) {
      if (error instanceof AddressRefused) this.finalFailure ??= new NoAnswer('rejected', error.message);
      this.scheduleReconnect();
      throw this.finalFailure ?? new NoAnswer('lost', `no connection: ${nameOf(error)}`);
    }
  }

  private createSocket(): WebSocket {
    const { url, authToken, callId, guard } = this.options;
    const address = socketAddress(url, callId, guard);
    return new WebSocket(address, {
      agent: guard.agentFor(address),
      headers: authToken === null ? {} : { Authorization: `Bearer ${authToken}` },
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    });
  }

  /** Adds the listeners before the socket is open, because the server's first message can arrive together with the handshake. */
  private opened(socket: WebSocket): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => socket.terminate(), OPEN_LIMIT_MS);
      socket.on('message', (data, isBinary) => this.onMessage(socket, isBinary ? '' : textOf(data)));
      socket.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      socket.once('open', () => {
        clearTimeout(timer);
        this.watch(socket);
        resolve();
      });
    });
  }

  private watch(socket: WebSocket): void {
    const openedAt = performance.now();
    const pings = pingRegularly(socket);
    socket.once('close', (code) => {
      clearInterval(pings);
      if (this.socket !== socket) return;
      if (performance.now() - openedAt > STABLE_AFTER_MS) this.failures = 0;
      this.options.log.warn({ code }, 'the connection to the custom LLM was lost');
      this.scheduleReconnect();
      this.listener.lost(new NoAnswer('lost', `the connection was lost with code ${code}`));
    });
    this.listener.opened();
  }

  private onMessage(socket: WebSocket, text: string): void {
    if (this.socket !== socket) return;
    const message = readServerMessage(text);
    if (message.kind === 'ping') echo(socket, message.text);
    this.listener.message(message);
  }

  private scheduleReconnect(): void {
    if (this.finalFailure !== null) return;
    const delayMs = RECONNECT_DELAYS_MS[Math.min(this.failures, RECONNECT_DELAYS_MS.length - 1)];
    this.failures += 1;
    clearTimeout(this.reconnectTimer);
    this.reconnectTimer = setTimeout(() => void this.open().catch(() => undefined), delayMs).unref();
  }
}

const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString('utf8') : '');

function pingRegularly(socket: WebSocket): NodeJS.Timeout {
  let isAlive = true;
  socket.on('pong', () => (isAlive = true));
  return setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, PING_EVERY_MS).unref();
}

/** A server that pings without reading would make the send buffer grow. */
function echo(socket: WebSocket, text: string): void {
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
  else socket.send(text);
}

/** Returns the code or name of an error. A library's error message can contain an address, so it must not be logged. */
const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

/** Explains why the server's answer to a turn is missing. The message contains no address and no part of the conversation. */
export class NoAnswer extends Error {
  constructor(
    readonly kind: 'timed out' | 'lost' | 'rejected' | 'closed',
    message: string,
  ) {
    super(message);
    this.name = 'NoAnswer';
  }
}

/** Returns `<url>/<call_id>`. Throws `AddressRefused` for an address that cannot be a custom LLM server. */
function socketAddress(url: string, callId: string, guard: Pick<Guard, 'isOpen'>): URL {
  if (!URL.canParse(url)) throw new AddressRefused('the URL is invalid');
  const address = new URL(url);
  if (address.protocol !== 'wss:' && address.protocol !== 'ws:')
    throw new AddressRefused('the address must use wss');
  // Without TLS, anyone on the network could read the token and the conversation. Only hosts on the operator's allow-list are exempt.
  if (address.protocol === 'ws:' && !guard.isOpen(address))
    throw new AddressRefused('ws is only allowed for hosts in AGENT_ALLOWED_HOSTS');
  // Credentials in the URL would replace the bearer token.
  if (address.username !== '' || address.password !== '')
    throw new AddressRefused('the address must not contain a user name');
  address.hash = '';
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${encodeURIComponent(callId)}`;
  return address;
}

export type ServerMessage =
  | { kind: 'config' }
  | { kind: 'greeting'; content: string }
  | { kind: 'reply'; responseId: number; content: string; isComplete: boolean; endsCall: boolean }
  /** `text` is the message as received, because the reply repeats it unchanged. */
  | { kind: 'ping'; text: string }
  | { kind: 'unreadable' };

export function readServerMessage(text: string): ServerMessage {
  const message = parsedJson(text);
  if (!isJsonObject(message)) return UNREADABLE;
  if (message.response_type === 'ping_pong') return { kind: 'ping', text };
  if (message.response_type === 'response') return readReply(message);
  if (message.interaction_type === 'config') return { kind: 'config' };
  if (message.interaction_type === 'greeting' && typeof message.content === 'string')
    return { kind: 'greeting', content: message.content };
  return UNREADABLE;
}

/** A message that only marks a reply as complete can omit the content. */
function readReply({
  response_id,
  content,
  content_complete,
  end_call,
}: Unchecked<'response'>): ServerMessage {
  if (typeof response_id !== 'number' || !Number.isInteger(response_id)) return UNREADABLE;
  if (typeof content !== 'string' && content !== undefined && content !== null) return UNREADABLE;
  return {
    kind: 'reply',
    responseId: response_id,
    content: content ?? '',
    isComplete: content_complete === true,
    endsCall: end_call === true,
  };
}
