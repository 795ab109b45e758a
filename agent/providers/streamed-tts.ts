import { tts } from '@livekit/agents';
import { SpeechTokenizer } from './speech-pieces';

/** A voice without streaming, given an answer piece by piece. It owns the voice, as the SDK's adapter does not. */
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
