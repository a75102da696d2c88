import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { LoggedRoute } from './common/http/route-log.js';
import { isRelayPath } from './console-edge.js';
import { ACCESS_KEY, type AccessLevel } from './modules/auth/decorators/access.js';

export interface RouteAccess extends LoggedRoute {
  readonly access: AccessLevel;
}

/** Routes without a controller that anybody may call. Files of the console are listed by their wildcard. */
const PLATFORM_ROUTES = new Set(['/healthz', '/readyz', '/api/openapi.json', '/api/docs', '/api/docs/:file']);

/**
 * Who may call what: every route of the router with its access level (G1).
 * @param consoleFiles  paths of the static console
 * Fails: throws naming each handler that declares none, and each raw route that nobody vouches for.
 */
export function readAccessTable(
  app: NestFastifyApplication,
  routes: readonly LoggedRoute[],
  isConsoleFile: (path: string) => boolean,
): RouteAccess[] {
  const declared = readDeclarations(app);
  const missing: string[] = [];
  const table: RouteAccess[] = [];
  for (const route of routes) {
    if (isConsoleFile(route.path)) continue;
    const access = isRelayPath(route.path)
      ? 'token'
      : PLATFORM_ROUTES.has(route.path)
        ? 'public'
        : declared.get(keyOf(route.method, route.path));
    if (access === undefined) missing.push(keyOf(route.method, route.path));
    else table.push({ ...route, access });
  }
  if (missing.length > 0) throw new Error(`These routes declare no access level: ${missing.join(', ')}`);
  return table;
}

function readDeclarations(app: NestFastifyApplication): Map<string, AccessLevel | undefined> {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  const declared = new Map<string, AccessLevel | undefined>();
  for (const { instance, metatype } of app.get(DiscoveryService).getControllers()) {
    if (typeof metatype !== 'function' || typeof instance !== 'object' || instance === null) continue;
    const prefixes = [Reflect.getMetadata(PATH_METADATA, metatype) as string | string[]].flat();
    const prototype = Object.getPrototypeOf(instance) as Record<string, unknown>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name];
      if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) continue;
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] ?? '';
      const access = reflector.getAllAndOverride<AccessLevel | undefined>(ACCESS_KEY, [handler, metatype]);
      for (const prefix of prefixes) {
        for (const path of [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat()) {
          declared.set(keyOf(method, joinPath(prefix, path)), access);
        }
      }
    }
  }
  return declared;
}

const keyOf = (method: string, path: string): string =>
  `${method} ${path === '/' ? path : path.replace(/\/$/, '')}`;

const joinPath = (...parts: readonly string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
