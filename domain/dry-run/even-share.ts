/** Corrects rates such as 0.29 that are not exact in binary. Without it, 29 of 100 would be 28. */
const ROUNDING = 1e-9;

/** Returns true for an evenly spread share of calls. It is not random, so that a forecast is repeatable and 60 % of 10 contacts are exactly 6. */
export class EvenShare {
  private asked = 0;
  private agreed = 0;

  constructor(private readonly share: number) {}

  next(): boolean {
    this.asked += 1;
    if (this.agreed >= Math.floor(this.asked * this.share + 0.5 + ROUNDING)) return false;
    this.agreed += 1;
    return true;
  }
}
