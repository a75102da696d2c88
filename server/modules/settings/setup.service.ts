import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine } from '../../common/text.js';
import { Env } from '../../config/env.js';
import { dialectOf } from '../../infra/database/data-source.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import { bumpRevision } from '../../infra/events/bump-revision.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { AuditLog } from '../audit/audit-log.js';
import { PasswordHasher } from '../auth/password.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { ROLE } from '../access/user.codes.js';
import { GIVEN_NAME_MAX, isPassword, isUsername, PASSWORD_LENGTH } from '../accounts/user-rules.js';
import { isWellKnownPassword } from '../accounts/well-known-passwords.js';
import type { Setup, SetupStatusView } from './dto/status.dto.js';
import { OptionsService } from '../options/options.service.js';
import { PRODUCT_VERSION } from '../../common/product.js';
import { SetupEntity } from './setup.entity.js';

const GUARD_ID = 1;
const ROOT_QUOTA = 100_000_000;

interface RootWish {
  readonly username: string;
  readonly passwordHash: string;
}

/** The first start: root account and operating mode, won once. */
@Injectable()
export class SetupService {
  private readonly logger = new Logger('Setup');
  /** Never goes back to false; other instances learn of it from the database. */
  private isKnownDone = false;
  private isCodeLogged = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly options: OptionsService,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly env: Env,
  ) {}

  async isDone(): Promise<boolean> {
    this.isKnownDone ||= await this.dataSource.getRepository(SetupEntity).existsBy({ id: GUARD_ID });
    return this.isKnownDone;
  }

  /** @param isCalledByName  the client called us by a name of ours (own-hosts.ts): then nobody asks for a code but SETUP_TOKEN */
  async status(isCalledByName: boolean): Promise<SetupStatusView> {
    if (await this.isDone())
      return { status: true, root_init: true, database_type: '', token_required: false };
    return {
      status: false,
      root_init: await this.accounts.hasRoot(),
      database_type: dialectOf(this.dataSource),
      token_required: this.codeFor(isCalledByName) !== undefined,
    };
  }

  /** Fails: DomainError `setup_*`. Of two parallel calls one wins and the other is told that it is done. */
  async run(input: Setup, isCalledByName: boolean): Promise<void> {
    if (await this.isDone()) throw new DomainError('setup_done');
    const code = this.codeFor(isCalledByName);
    if (code !== undefined && !isSame(input.setup_token, code)) throw new DomainError('setup_token_wrong');
    if (input.SelfUseModeEnabled && input.DemoSiteEnabled) throw new DomainError('setup_one_mode');
    const root = (await this.accounts.hasRoot()) ? null : await this.rootFrom(input);
    await this.complete(root, {
      SelfUseModeEnabled: input.SelfUseModeEnabled,
      DemoSiteEnabled: input.DemoSiteEnabled,
    });
  }

  /** At start: an installation with a root counts as set up; INITIAL_ROOT_* makes the root. */
  async adopt(): Promise<void> {
    if (await this.isDone()) return;
    try {
      await this.adoptNow();
    } catch (error) {
      // Workers that start together all come here: one of them is first, and the others find it done.
      if (!(error instanceof DomainError) || error.code !== 'setup_done') throw error;
      this.isKnownDone = true;
      await this.options.refresh();
    }
  }

  /** Once it listens: a gateway that others than this machine can call, and that nobody has set up, tells its code. */
  announce(): void {
    if (!this.isKnownDone && !this.env.isLoopback && this.env.setupToken === undefined) this.tellCode();
  }

  /** Undefined = none is asked for. */
  private codeFor(isCalledByName: boolean): string | undefined {
    if (this.env.setupToken !== undefined) return this.env.setupToken;
    if (isCalledByName) return undefined;
    this.tellCode();
    return setupCodeOf(this.env.sessionSecret);
  }

  /** Once: at start where others than this machine may call, else when somebody does. */
  private tellCode(): void {
    if (this.isCodeLogged) return;
    this.isCodeLogged = true;
    const code = setupCodeOf(this.env.sessionSecret);
    this.logger.log(`set-up code, asked for unless the console is opened at localhost: ${code}`);
  }

  private async adoptNow(): Promise<void> {
    if (await this.accounts.hasRoot()) {
      await this.complete(null, {});
    } else if (this.env.initialRoot !== undefined) {
      const { username, password } = this.env.initialRoot;
      await this.complete(await this.rootFrom({ username, password, confirmPassword: password }), {});
      this.logger.log(`created the root account ${username} from INITIAL_ROOT_USERNAME`);
    }
  }

  private async rootFrom(input: Pick<Setup, 'username' | 'password' | 'confirmPassword'>): Promise<RootWish> {
    const username = cleanLine(input.username);
    if (!isUsername(username, GIVEN_NAME_MAX))
      throw new DomainError('setup_username_invalid', { max: GIVEN_NAME_MAX });
    if (input.password !== input.confirmPassword) throw new DomainError('setup_passwords_differ');
    if (!isPassword(input.password))
      throw new DomainError('setup_password_length', { min: PASSWORD_LENGTH.min });
    if (isWellKnownPassword(input.password)) throw new DomainError('password_well_known');
    return { username, passwordHash: await this.hasher.hash(input.password) };
  }

  private async complete(root: RootWish | null, modes: Readonly<Record<string, boolean>>): Promise<void> {
    try {
      await runInTransaction(this.dataSource, (manager) => this.write(manager, root, modes));
    } catch (error) {
      // The guard row, or the name of the root, was already there: somebody else was faster.
      if (isDuplicateKey(error)) throw new DomainError('setup_done');
      this.logger.error(
        `set-up failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      throw error instanceof DomainError ? error : new DomainError('setup_failed');
    }
    this.isKnownDone = true;
    this.feed.announce('options');
    await this.options.refresh();
  }

  /** The guard row first: whoever inserts it has won, and the loser's transaction is undone as a whole. */
  private async write(
    manager: EntityManager,
    root: RootWish | null,
    modes: Readonly<Record<string, boolean>>,
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    await bumpRevision(manager, 'options');
    await manager
      .getRepository(SetupEntity)
      .insert({ id: GUARD_ID, version: PRODUCT_VERSION, initializedAt: Math.floor(nowMs / 1000) });
    let actorId = 0;
    if (root !== null) {
      if (await this.accounts.hasRoot(manager)) throw new DomainError('setup_done');
      actorId = await this.accounts.createWith(manager, {
        username: root.username,
        displayName: 'Root User',
        passwordHash: root.passwordHash,
        role: ROLE.root,
        actorId: 0,
        gift: { quota: ROOT_QUOTA, kind: 'setup' },
      });
    }
    const changes = Object.entries(modes).map(([key, value]) => ({
      key,
      stored: String(value),
      oldValue: null,
      newValue: String(value),
    }));
    if (changes.length > 0) await this.options.writeFirst(manager, changes, actorId);
    await this.audit.record(manager, {
      actorId,
      actorRole: actorId === 0 ? 0 : ROLE.root,
      action: 'setup.complete',
      targetType: 'user',
      targetId: actorId === 0 ? '' : actorId,
      detail: { modes },
    });
  }
}

/** Without letters that look like others. */
const CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 16;

/** The same for every worker and instance, since they share the secret. 80 bits. */
function setupCodeOf(sessionSecret: string): string {
  const bytes = createHmac('sha256', sessionSecret).update('set-up code').digest();
  const letters = Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => CODE_LETTERS[byte % 32]);
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** In constant time, whatever the lengths. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
