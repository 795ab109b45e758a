/** Rates such as 0.29 are not exact in binary: without it, 29 of 100 would be 28. */
const ROUNDING = 1e-9;

/**
 * Says yes to a share of the questions, evenly spread: after n questions, to n times the share, rounded. No chance is in it, so that
 * a forecast repeats, and 60 % of 10 contacts are 6.
 */
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
