/** Something of the request that could not be carried to the upstream wire. */
export interface Warning {
  readonly setting: string;
  readonly reason: string;
}
