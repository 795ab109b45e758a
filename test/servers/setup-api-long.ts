import { openServers } from './open-servers';

export default () => openServers('api-long');
