/** Something that is shown to a person in plain words: a name in `PROBLEMS`. */
export class Problem extends Error {
  constructor(name, options) {
    super(name, options);
    this.name = 'Problem';
    this.problem = name;
  }
}
