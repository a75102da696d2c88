import { Inject, Injectable } from '@nestjs/common';
import type { Language } from '../../common/language.js';
import { Env } from '../../config/env.js';
import { hostListsInForce } from '../../infra/http-client/outbound-callers.js';
import type { Actor } from '../../base/access/current-actor.js';
import { BOOT_ID } from '../../base/billing/ledger/billing.tokens.js';
import { ROLE } from '../../base/access/user.codes.js';
import type { OperationsStatusView } from './dto/status.dto.js';
import { FleetObserver } from './fleet/fleet-observer.js';
import { presentStatus } from './present-status.js';
import { evaluateRules } from './rules/evaluate-rules.js';

/** What administrators see of the installation. */
@Injectable()
export class OperationsService {
  constructor(
    @Inject(FleetObserver) private readonly observer: FleetObserver,
    @Inject(BOOT_ID) private readonly bootId: string,
    @Inject(Env) private readonly env: Env,
  ) {}

  async status(actor: Actor, language: Language): Promise<OperationsStatusView> {
    const observation = await this.observer.observe();
    const reader = {
      language,
      isRoot: actor.role >= ROLE.root,
      answeredBy: this.bootId,
      hostLists: hostListsInForce(this.env),
    };
    return presentStatus(observation, evaluateRules(observation), reader);
  }
}
