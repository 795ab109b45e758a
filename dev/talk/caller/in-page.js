// Runs in the page before its own scripts. Replaces the microphone with the caller's audio and records what the page plays.
(() => {
  const AUDIBLE = 0.01;
  const CHECK_EVERY_MS = 10;
  const context = new AudioContext({ sampleRate: 48000 });
  const microphone = context.createMediaStreamDestination();
  // A real microphone always has some noise.
  const hiss = context.createConstantSource();
  const quiet = context.createGain();
  quiet.gain.value = 1e-5;
  hiss.connect(quiet).connect(microphone);
  hiss.start();
  navigator.mediaDevices.getUserMedia = async () => {
    await context.resume();
    return microphone.stream.clone();
  };

  /** @type {{ pieces: Float32Array[], firstAtMs: number | null, lastAtMs: number | null }} */
  let heard = { pieces: [], firstAtMs: null, lastAtMs: null };
  let stream = null;

  const listen = (remote) => {
    stream = remote;
    const source = context.createMediaStreamSource(remote);
    const analyser = context.createAnalyser();
    analyser.fftSize = 512;
    const window = new Float32Array(analyser.fftSize);
    source.connect(analyser);
    setInterval(() => {
      analyser.getFloatTimeDomainData(window);
      if (!window.some((sample) => Math.abs(sample) > AUDIBLE)) return;
      heard.lastAtMs = Date.now();
      heard.firstAtMs ??= heard.lastAtMs;
    }, CHECK_EVERY_MS);
    // ScriptProcessor is deprecated, but it needs no separate script, which the page's policy would block.
    const recorder = context.createScriptProcessor(4096, 1, 1);
    recorder.onaudioprocess = ({ inputBuffer }) => heard.pieces.push(inputBuffer.getChannelData(0).slice());
    source.connect(recorder).connect(context.destination);
  };
  setInterval(() => {
    const remote = document.querySelector('.try audio')?.srcObject ?? null;
    if (remote !== null && remote !== stream) listen(remote);
  }, CHECK_EVERY_MS);

  const base64Of = (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192)
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(text);
  };

  globalThis.caller = {
    /** Plays 16-bit samples at 24 kHz. Resolves to the time of the last audible sample. */
    say: async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const samples = new Int16Array(bytes.buffer);
      const buffer = context.createBuffer(1, samples.length, 24000);
      buffer.copyToChannel(
        Float32Array.from(samples, (sample) => sample / 32768),
        0,
      );
      const last = samples.findLastIndex((sample) => Math.abs(sample) > AUDIBLE * 32768);
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(microphone);
      heard = { pieces: [], firstAtMs: null, lastAtMs: null };
      source.start();
      await new Promise((ended) => (source.onended = ended));
      return Math.round(Date.now() - ((samples.length - 1 - last) / 24000) * 1000);
    },
    heard: () => ({ firstAtMs: heard.firstAtMs, lastAtMs: heard.lastAtMs, nowMs: Date.now() }),
    /** Returns the sound since the caller last spoke, as 16-bit samples at 48 kHz. */
    recording: () => {
      const samples = new Int16Array(heard.pieces.reduce((sum, piece) => sum + piece.length, 0));
      let at = 0;
      for (const piece of heard.pieces)
        for (const sample of piece) samples[at++] = Math.max(-1, Math.min(1, sample)) * 32767;
      return base64Of(new Uint8Array(samples.buffer));
    },
  };
})();
