import { Injectable } from '@nestjs/common';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import { OptionsService } from '../../base/options/options.service.js';
import { ConcurrencyLimits } from './concurrency-limits.js';

/** Refuses new calls while the operator switched them off, and while the database is behind what was seen of it. */
@Injectable()
export class RelaySwitch {
  constructor(
    private readonly gates: ConcurrencyLimits,
    private readonly options: OptionsService,
    private readonly modes: DegradedModes,
  ) {}

  /** From now on. */
  follow(): void {
    const switchRelay = (): void => this.gates.switchOff(!this.options.values().RelayEnabled);
    switchRelay();
    this.options.onChange(switchRelay);
    this.gates.refuseBehind(this.modes.has('database-behind'));
    this.modes.on((mode, change) => {
      if (mode === 'database-behind') this.gates.refuseBehind(change !== null);
    });
  }
}
