/** The entry of `npm run test:agents`. */
import './scripted/main';
