import { fuzz } from './fuzz/suite';

fuzz(1_800);
