import { fuzz } from './fuzz/suite';

fuzz(10_000);
