import { tts } from '@livekit/agents';
import { SpeechTokenizer } from './speech-pieces';

/** Feeds an answer piece by piece to a voice without streaming. Unlike the SDK's adapter, it owns and closes the voice. */
export class StreamedTts extends tts.StreamAdapter {
  constructor(private readonly voice: tts.TTS) {
    super(voice, new SpeechTokenizer());
  }

  override get model(): string {
    return this.voice.model;
  }

  override get provider(): string {
    return this.voice.provider;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.voice.close();
  }
}
