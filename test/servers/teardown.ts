import { closeServers } from './open-servers';

export default closeServers;
