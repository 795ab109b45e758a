/** So many may be at something at once; a caller that finds no place goes another way and does not wait for one. */
export interface Places {
  /** What gives the place back, to be called once; null while all are taken. */
  take(): (() => void) | null;
}

export function places(most: number): Places {
  let taken = 0;
  return {
    take() {
      if (taken >= most) return null;
      taken += 1;
      return () => void (taken -= 1);
    },
  };
}

/** Places that several share, of which none may take all. */
export interface SharedPlaces {
  /** As `take` of `Places`; `ofOne` is the most that this one may have. */
  take(whose: string, ofOne: number): (() => void) | null;
}

export function sharedPlaces(most: number): SharedPlaces {
  const all = places(most);
  const taken = new Map<string, number>();
  return {
    take(whose, ofOne) {
      const count = taken.get(whose) ?? 0;
      if (count >= ofOne) return null;
      const giveBack = all.take();
      if (giveBack === null) return null;
      taken.set(whose, count + 1);
      return () => {
        giveBack();
        const left = (taken.get(whose) ?? 1) - 1;
        if (left === 0) taken.delete(whose);
        else taken.set(whose, left);
      };
    },
  };
}
