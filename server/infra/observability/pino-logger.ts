import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import { currentRequestId } from './request-scope.js';
import { redactSecrets } from './redact.js';

/** Contexts in which Nest reports its own start, line by line. */
const FRAMEWORK_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Contexts in which Nest reports errors it also throws: the code that catches them reports them, in fewer words. */
const RETHROWN_CONTEXTS = new Set(['ExceptionHandler', 'NestApplication']);

/** Nest's logger over pino: one JSON object per line on standard output, secrets scrubbed. */
export class PinoLogger implements LoggerService {
  private readonly pino: Logger;

  /**
   * @param secrets  texts that are secrets of this installation
   * @param destination  standard output when absent
   */
  constructor(
    level: string,
    private readonly secrets: readonly string[] = [],
    destination?: DestinationStream,
  ) {
    const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime };
    this.pino = destination === undefined ? pino(options) : pino(options, destination);
  }

  log(message: unknown, ...rest: unknown[]): void {
    const context = contextOf(rest);
    this.write(FRAMEWORK_CONTEXTS.has(context) ? 'debug' : 'info', message, context);
  }

  error(message: unknown, ...rest: unknown[]): void {
    const stack = rest.length > 1 && typeof rest[0] === 'string' ? rest[0] : undefined;
    const context = contextOf(rest);
    this.write(
      RETHROWN_CONTEXTS.has(context) ? 'debug' : 'error',
      stack === undefined ? message : withStack(message, stack),
      context,
    );
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, contextOf(rest));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, contextOf(rest));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, contextOf(rest));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, contextOf(rest));
  }

  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    context: string,
  ): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const { text, ids } = readMessage(message);
    this.pino[level]({ context, ...ids }, redactSecrets(text, this.secrets));
  }
}

/** Nest passes the context as the last parameter. */
const contextOf = (rest: readonly unknown[]): string => {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : '';
};

/** Fields of a log event of one call or request, identified by its id. */
export interface LogEvent {
  readonly message: string;
  /** Id of a relay call: `X-Request-Id` of its answer and key of its row in the usage log. */
  readonly callId?: string;
  /** Id of a request of the console. Found by itself while that request is served. */
  readonly requestId?: string;
}

const isEvent = (message: unknown): message is LogEvent =>
  typeof message === 'object' &&
  message !== null &&
  'message' in message &&
  typeof message.message === 'string' &&
  ('callId' in message || 'requestId' in message);

function readMessage(message: unknown): { text: string; ids: Omit<LogEvent, 'message'> } {
  const requestId = currentRequestId();
  const ids = requestId === undefined ? {} : { requestId };
  if (!isEvent(message)) return { text: textOf(message), ids };
  const { message: text, ...own } = message;
  return { text, ids: { ...ids, ...own } };
}

const withStack = (message: unknown, stack: string): unknown =>
  isEvent(message) ? { ...message, message: `${message.message}\n${stack}` } : `${textOf(message)}\n${stack}`;

const textOf = (message: unknown): string => {
  if (typeof message === 'string') return message;
  return message instanceof Error ? (message.stack ?? message.message) : inspect(message, { depth: 4 });
};
