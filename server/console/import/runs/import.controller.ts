import { CallerLanguage } from '../../../common/api/caller-language.js';
import type { Language } from '../../../common/language.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { RAW_ROUTE } from '../../../common/api/raw-route.js';
import { pathId } from '../../../common/query.js';
import { Access } from '../../../base/access/access.js';
import { type Actor, CurrentActor } from '../../../base/access/current-actor.js';
import { StepUpAuth } from '../../../base/auth/step-up.service.js';
import {
  type ImportChunk,
  importChunkSchema,
  importFileSchema,
  type ImportFileStart,
  importFileStartSchema,
  type ImportFileView,
  type ImportOrderInput,
  importOrderSchema,
  importStateSchema,
  type ImportStateView,
} from '../dto/import.dto.js';
import { CHUNK_BYTES } from './import-files.js';
import { ImportUploads } from './import-uploads.js';
import { ImportRunner } from './import-runner.js';
import { ImportState } from './import-state.js';

/** Imports from other gateways; root, after a recent sign-in. */
@ApiTags('import')
@Controller('api/import')
export class ImportController {
  constructor(
    private readonly state: ImportState,
    private readonly runner: ImportRunner,
    private readonly uploads: ImportUploads,
    private readonly proofs: StepUpAuth,
  ) {}

  /** The last run with its progress or report, the uploaded file, and every import. */
  @Get()
  @Access('root')
  @ApiEnvelope(importStateSchema)
  read(@CallerLanguage() language: Language): Promise<ImportStateView> {
    return this.state.read(language);
  }

  /** Begins the upload of a SQLite file, and removes the one before. */
  @Post('file')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope(importFileSchema)
  async beginFile(
    @CurrentActor() actor: Actor,
    @Body({ schema: importFileStartSchema }) input: ImportFileStart,
  ): Promise<ImportFileView> {
    await this.proofs.assertFresh(actor);
    return this.uploads.begin(input);
  }

  /** Appends bytes to an upload, up to 8 MB at a time; answers how many are there. */
  @Put('file/:file')
  @Access('root')
  @RouteConfig({ ...RAW_ROUTE, bodyLimitBytes: CHUNK_BYTES })
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiEnvelope(importFileSchema)
  appendFile(
    @Param('file') file: string,
    @Query({ schema: importChunkSchema }) { part, offset }: ImportChunk,
    @Req() request: FastifyRequest,
  ): Promise<ImportFileView> {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    return this.uploads.append(file, part, offset, bytes);
  }

  /** Removes the uploaded file. */
  @Delete('file')
  @Access('root')
  @ApiEnvelope()
  async removeFile(): Promise<void> {
    await this.uploads.remove();
  }

  /** Starts a trial, which writes nothing, or an import; answers the number of the run. */
  @Post('run')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope(z.int())
  async start(
    @CurrentActor() actor: Actor,
    @Body({ schema: importOrderSchema }) input: ImportOrderInput,
  ): Promise<number> {
    await this.proofs.assertFresh(actor);
    return this.runner.start(actor, input);
  }

  /** Stops the run after the rows it writes now. What is written stays; a further run goes on. */
  @Post('run/stop')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope()
  async stop(@CurrentActor() actor: Actor): Promise<void> {
    await this.runner.stop(actor);
  }

  /** Removes every row of an import, while no imported account has spent; answers the number of the run. */
  @Post(':id/undo')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope(z.int())
  async undo(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<number> {
    await this.proofs.assertFresh(actor);
    return this.runner.undo(actor, id);
  }
}
