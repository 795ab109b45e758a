import { Problem } from './problem.mjs';

const PROBLEM_OF = {
  NotAllowedError: 'microphoneRefused',
  SecurityError: 'microphoneRefused',
  NotFoundError: 'microphoneMissing',
  OverconstrainedError: 'microphoneMissing',
  NotReadableError: 'microphoneBusy',
  AbortError: 'microphoneBusy',
};

/**
 * Opens the microphone before the call is made, so that no call starts without one.
 *
 * @param {typeof import('livekit-client')} livekit
 */
export const openMicrophone = async (livekit) => {
  if (!navigator.mediaDevices) throw new Problem('microphoneInsecure');
  try {
    return await livekit.createLocalAudioTrack({
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
    });
  } catch (cause) {
    throw new Problem(PROBLEM_OF[cause?.name] ?? 'microphoneMissing', { cause });
  }
};

/**
 * Calls `show` with the track's volume, from 0 to 1, until the returned function is called.
 *
 * @param {typeof import('livekit-client')} livekit
 * @param {import('livekit-client').LocalAudioTrack} track
 */
export const watchLevel = (livekit, track, show) => {
  const { calculateVolume, cleanup } = livekit.createAudioAnalyser(track, { smoothingTimeConstant: 0.6 });
  const timer = setInterval(() => show(Math.min(1, calculateVolume() * 1.6)), 60);
  return () => {
    clearInterval(timer);
    show(0);
    void cleanup();
  };
};
