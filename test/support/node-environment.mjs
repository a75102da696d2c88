import { constants, createContext, runInContext } from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { installCommonGlobals } from 'jest-util';

/** Globals of a context itself, and those that warn when they are read. */
const LEFT_OUT = new Set(['global', 'globalThis', 'localStorage', 'sessionStorage']);
/** Native code makes these in the main context, and tests compare them. */
const SHARED = ['ArrayBuffer', 'Uint8Array', 'Buffer'];

/**
 * Jest's environment for Node with globals that are plain properties. `jest-environment-node` puts a proxy and V8's interceptors before each of
 * them, which costs the tests that start the application a tenth of their CPU.
 */
export default class PlainGlobalsEnvironment {
  constructor({ projectConfig }) {
    this.context = createContext(constants.DONT_CONTEXTIFY);
    this.global = runInContext('globalThis', this.context);
    for (const name of Object.getOwnPropertyNames(globalThis))
      if (!LEFT_OUT.has(name) && !Object.hasOwn(this.global, name)) this.take(name);
    this.global.global = this.global;
    for (const name of SHARED) this.global[name] = globalThis[name];
    installCommonGlobals(this.global, projectConfig.globals);
    this.global.Error.stackTraceLimit = 100;
    this.moduleMocker = new ModuleMocker(this.global);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: this.global });
  }

  /** A global of Node; one that is loaded when it is first read stays so. */
  take(name) {
    const { enumerable, ...descriptor } = Object.getOwnPropertyDescriptor(globalThis, name);
    if ('value' in descriptor) return Object.defineProperty(this.global, name, { ...descriptor, enumerable });
    const become = (value) =>
      Object.defineProperty(this.global, name, { value, enumerable, configurable: true, writable: true });
    return Object.defineProperty(this.global, name, {
      enumerable,
      configurable: true,
      get: () => {
        const value = globalThis[name];
        become(value);
        return value;
      },
      set: become,
    });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.fakeTimersModern = null;
    this.context = null;
    this.global = null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return this.context;
  }
}
