// Same as load-nest.ts, for files that start the application.
import '@nestjs/core';
// @nestjs/throttler is CommonJS and requires this, an ES module: Jest refuses that while the same import is still being linked for a file of ours.
import { ConsoleLogger, Logger } from '@nestjs/common';

// Jest shows what a file printed by console when one of its tests failed.
Logger.overrideLogger(new ConsoleLogger({ forceConsole: true, colors: false }));
