export { errorCode } from '../../db/error-code';
