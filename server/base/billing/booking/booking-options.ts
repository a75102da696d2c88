/** Options of the booking. */
export interface BookingOptions {
  readonly logConsumption: boolean;
  readonly useFigures: boolean;
  /** Distinct tags, and distinct end users, that an account has sums of on one day. */
  readonly tagValuesPerDay: number;
}
