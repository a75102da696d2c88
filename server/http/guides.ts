import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Language, languageOf } from '../common/language.js';
import { Env } from '../config/env.js';
import { configuredAddress } from '../base/options/server-address.js';
import { OptionsService } from '../base/options/options.service.js';

/** Guides in reading order, with a title and a summary for llms.txt. The files are in console/guides. */
const GUIDES = {
  start: ['First call', 'address, key and the first request with curl, Python and Node.js'],
  endpoints: ['Endpoints by model', 'which endpoint serves chat, embeddings, images, speech and reranking'],
  errors: ['Errors', 'status, code, cause and remedy; which ones to retry'],
  limits: ['Limits', 'balance, quota of a key, rates and sizes, and the answer when one is reached'],
  clients: ['Clients', 'configuration of Claude Code, Codex, Gemini CLI and other clients'],
  money: ['Money', 'what a call costs, when it is charged, where to see it'],
} as const;

/** Folder in the built console. It begins with a dot: the static files do not serve it. */
const FOLDER = '.guides';
/** Stand in for values only a signed-in reader has; the console replaces them. */
const PLACEHOLDERS = { key: 'YOUR_API_KEY', model: 'YOUR_MODEL' } as const;

const isGuide = (name: string): name is keyof typeof GUIDES => Object.hasOwn(GUIDES, name);

/**
 * `/docs/NAME.md` and `/llms.txt`: the guides as Markdown, with this installation's address in every example and never a key.
 * `?lang=` chooses the language, else `Accept-Language`. Answers 404 when the operator switched the page off.
 */
export function serveGuides(fastify: FastifyInstance, app: NestFastifyApplication, folder: string): void {
  const options = app.get(OptionsService, { strict: false });
  const env = app.get(Env, { strict: false });
  const addressOf = (request: FastifyRequest): string =>
    configuredAddress(options.values(), env) || `${request.protocol}://${request.host}${request.basePath}`;
  const isShown = (): boolean => {
    const { enabled, docs } = options.values().SidebarModulesAdmin.console;
    return enabled && docs;
  };

  fastify.get('/llms.txt', async (request, reply) => {
    if (!isShown()) return reply.callNotFound();
    const text = llmsText(options.values().SystemName, addressOf(request));
    return reply.type('text/plain; charset=utf-8').header('Cache-Control', 'no-cache').send(text);
  });
  fastify.get<{ Params: { file: string } }>('/docs/:file', async (request, reply) => {
    const name = /^([a-z]+)\.md$/.exec(request.params.file)?.[1] ?? '';
    if (!isGuide(name) || !isShown()) return reply.callNotFound();
    const path = join(folder, FOLDER, guideLanguage(request), `${name}.md`);
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return reply.callNotFound();
    return reply
      .type('text/markdown; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .header('Vary', 'Accept-Language')
      .send(fillGuide(text, { address: addressOf(request), ...PLACEHOLDERS }));
  });
}

function guideLanguage(request: FastifyRequest): Language {
  const { lang } = request.query as Readonly<Record<string, unknown>>;
  return lang === 'en' || lang === 'zh' ? lang : languageOf(request.headers['accept-language']);
}

/** Replaces `{{name}}`. */
export const fillGuide = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);

/** The index of https://llmstxt.org (read 2026-11-29). */
export function llmsText(name: string, address: string): string {
  const lines = Object.entries(GUIDES).map(
    ([guide, [title, summary]]) => `- [${title}](${address}/docs/${guide}.md): ${summary}`,
  );
  return [
    `# ${name}`,
    '',
    '> A gateway for AI models: one address and one API key for the APIs of OpenAI, Anthropic and Gemini.',
    '',
    `Base address: ${address}`,
    '',
    '## Docs',
    '',
    ...lines,
    '',
  ].join('\n');
}
