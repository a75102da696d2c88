import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import { redactSecrets } from './redact.js';

/** Contexts in which Nest reports its own start, line by line. */
const FRAMEWORK_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Where Nest reports errors it throws on all the same: whoever catches them reports them, in fewer words. */
const RETHROWN_CONTEXTS = new Set(['ExceptionHandler', 'NestApplication']);

/** Nest's logger over pino: one JSON object per line on standard output, secrets scrubbed (G7). */
export class PinoLogger implements LoggerService {
  private readonly pino: Logger;

  constructor(level: string) {
    this.pino = pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime });
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
      stack === undefined ? message : `${textOf(message)}\n${stack}`,
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
    this.pino[level]({ context }, redactSecrets(textOf(message)));
  }
}

/** Nest passes the context as the last parameter. */
const contextOf = (rest: readonly unknown[]): string => {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : '';
};

const textOf = (message: unknown): string => {
  if (typeof message === 'string') return message;
  return message instanceof Error ? (message.stack ?? message.message) : inspect(message, { depth: 4 });
};
