/** An error that is shown to the person. Its name selects a text in `PROBLEMS`. */
export class Problem extends Error {
  constructor(name, options) {
    super(name, options);
    this.name = 'Problem';
    this.problem = name;
  }
}
