import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { StartRefusal } from '../../common/errors/start-refusal.js';
import { Env } from '../../config/env.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { PasswordHasher } from '../../base/auth/password.js';
import type { Setup, SetupStatusView } from './dto/status.dto.js';
import { SetupCode } from './setup-code.js';
import { SetupCompletion } from './setup-completion.js';
import { cleanLine } from '../../common/text.js';
import { GIVEN_NAME_MAX, isPassword, isUsername, PASSWORD_LENGTH } from '../../base/users/user-rules.js';
import { isWellKnownPassword } from '../../base/users/well-known-passwords.js';

const KNOWN_INITIAL_PASSWORD =
  'INITIAL_ROOT_PASSWORD: is one of the passwords that everybody tries first, or one of them followed by digits or "!". ' +
  'Choose another one.';

/** The first start: root account and operating mode, won once. */
@Injectable()
export class SetupService {
  private readonly logger = new Logger('Setup');

  constructor(
    private readonly completion: SetupCompletion,
    private readonly code: SetupCode,
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly env: Env,
  ) {}

  /** @param isCalledByName  see `SetupCode` */
  async status(isCalledByName: boolean): Promise<SetupStatusView> {
    if (await this.completion.isDone())
      return { status: true, root_init: true, database_type: '', token_required: false };
    return {
      status: false,
      root_init: await this.accounts.hasRoot(),
      database_type: this.completion.databaseKind,
      token_required: this.code.isRequired(isCalledByName),
    };
  }

  /** Fails: DomainError `setup_*`. Of two parallel calls one wins, and the other fails with `setup_done`. */
  async run(input: Setup, isCalledByName: boolean): Promise<void> {
    if (await this.completion.isDone()) throw new DomainError('setup_done');
    if (!this.code.matches(input.setup_token, isCalledByName)) throw new DomainError('setup_token_wrong');
    if (input.SelfUseModeEnabled && input.DemoSiteEnabled) throw new DomainError('setup_one_mode');
    const root = (await this.accounts.hasRoot()) ? null : await this.rootFrom(input);
    await this.completion.complete(root, {
      SelfUseModeEnabled: input.SelfUseModeEnabled,
      DemoSiteEnabled: input.DemoSiteEnabled,
    });
  }

  /**
   * At start: an installation with a root counts as set up; INITIAL_ROOT_* makes the root.
   * Fails: StartRefusal when the root to be made has a well-known password.
   */
  async adopt(): Promise<void> {
    if (await this.completion.isDone()) return;
    try {
      await this.adoptNow();
    } catch (error) {
      // Workers that start together all come here: one of them is first, and the others find it done.
      if (!(error instanceof DomainError) || error.code !== 'setup_done') throw error;
      await this.completion.adoptConcurrentSetup();
    }
  }

  /** Once it listens: logs the code of a gateway that is not set up and that other machines can reach. */
  announce(): void {
    if (!this.completion.isKnownDone) this.code.announce();
  }

  private async adoptNow(): Promise<void> {
    if (await this.accounts.hasRoot()) {
      await this.completion.complete(null, {});
    } else if (this.env.initialRoot !== undefined) {
      const { username, password } = this.env.initialRoot;
      if (isWellKnownPassword(password)) throw new StartRefusal(KNOWN_INITIAL_PASSWORD);
      const root = await this.rootFrom({ username, password, confirmPassword: password });
      await this.completion.complete(root, {});
      this.logger.log(`created the root account ${username} from INITIAL_ROOT_USERNAME`);
    }
  }

  private async rootFrom(form: Parameters<typeof rootNameOf>[0]) {
    const username = rootNameOf(form);
    return { username, passwordHash: await this.hasher.hash(form.password) };
  }
}

/**
 * Name and password of the first root, as typed at the set-up page. @returns the name as it is stored
 * Fails: DomainError `setup_username_invalid`, `setup_passwords_differ`, `setup_password_length`, `password_well_known`.
 */
export function rootNameOf({
  username: typed,
  password,
  confirmPassword,
}: Pick<Setup, 'username' | 'password' | 'confirmPassword'>): string {
  const username = cleanLine(typed);
  if (!isUsername(username, GIVEN_NAME_MAX))
    throw new DomainError('setup_username_invalid', { max: GIVEN_NAME_MAX });
  if (password !== confirmPassword) throw new DomainError('setup_passwords_differ');
  if (!isPassword(password)) throw new DomainError('setup_password_length', { min: PASSWORD_LENGTH.min });
  if (isWellKnownPassword(password)) throw new DomainError('password_well_known');
  return username;
}
