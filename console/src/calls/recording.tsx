import { useQuery } from '@tanstack/react-query';
import { useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import type { Call } from '../../../sdk/typescript/generated';
import { problemOf } from '../api/client';
import { durationOf } from '../format/time';
import { QueryResult } from '../parts/states';
import { outlineOf, peaksOf } from './waveform';

export interface Player {
  playFrom: (ms: number) => void;
}

const BUCKETS = 600;
/** Speakers on the left and right channel of a stereo recording. A mono recording mixes both. */
const CHANNELS = ['user', 'agent'] as const;

const pathOf = (call: Call): string => `/api/stream/${encodeURIComponent(call.call_id)}`;

async function readPeaks(path: string): Promise<number[][]> {
  const response = await fetch(path);
  if (!response.ok) throw await problemOf(response);
  // `OfflineAudioContext` decodes without an audio device. It resamples to 16 kHz.
  const audio = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(await response.arrayBuffer());
  return Array.from({ length: Math.min(2, audio.numberOfChannels) }, (_, channel) =>
    peaksOf(audio.getChannelData(channel), BUCKETS),
  );
}

interface RecordingProps {
  call: Call;
  ref: Ref<Player>;
  /** Called with the playback position. */
  onMoment: (ms: number) => void;
}

/** Plays the recording and shows its waveform. */
export function Recording({ call, ref, onMoment }: RecordingProps) {
  const path = pathOf(call);
  const audio = useRef<HTMLAudioElement>(null);
  const [atMs, setAtMs] = useState(0);
  const [lengthMs, setLengthMs] = useState(call.duration_ms);
  const [isPlaying, setPlaying] = useState(false);
  const peaks = useQuery({
    queryKey: ['call', call.call_id, 'peaks'],
    queryFn: () => readPeaks(path),
    staleTime: Infinity,
  });

  const moveTo = (ms: number): void => {
    setAtMs(ms);
    onMoment(ms);
  };
  const seek = (ms: number): void => {
    if (audio.current !== null) audio.current.currentTime = ms / 1000;
    moveTo(ms);
  };
  const toggle = (): void => void (isPlaying ? audio.current?.pause() : audio.current?.play());
  useImperativeHandle(ref, () => ({
    playFrom: (ms) => {
      seek(ms);
      void audio.current?.play();
    },
  }));

  return (
    <section className="card" aria-labelledby="recording">
      <header>
        <h2 id="recording">Recording</h2>
        <a className="aside" href={path} download={`${call.call_id}.wav`}>
          Download
        </a>
      </header>
      <div className="body">
        <audio
          ref={audio}
          src={path}
          preload="metadata"
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onTimeUpdate={(event) => moveTo(event.currentTarget.currentTime * 1000)}
          onLoadedMetadata={({ currentTarget: { duration } }) => {
            if (Number.isFinite(duration)) setLengthMs(duration * 1000);
          }}
        />
        <QueryResult query={peaks} of="the waveform">
          {(channels) => <Waveform channels={channels} share={lengthMs === 0 ? 0 : atMs / lengthMs} />}
        </QueryResult>
        <Controls atMs={atMs} lengthMs={lengthMs} isPlaying={isPlaying} onToggle={toggle} onSeek={seek} />
      </div>
    </section>
  );
}

interface ControlsProps {
  atMs: number;
  lengthMs: number;
  isPlaying: boolean;
  onToggle: () => void;
  onSeek: (ms: number) => void;
}

function Controls({ atMs, lengthMs, isPlaying, onToggle, onSeek }: ControlsProps) {
  return (
    <div className="player">
      <button type="button" className="button" onClick={onToggle}>
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <input
        type="range"
        aria-label="Position in the recording"
        aria-valuetext={`${durationOf(atMs)} of ${durationOf(lengthMs)}`}
        min={0}
        max={Math.round(lengthMs)}
        step={100}
        value={Math.round(atMs)}
        onChange={(event) => onSeek(Number(event.target.value))}
      />
      <span className="soft">
        {durationOf(atMs)} / {durationOf(lengthMs)}
      </span>
    </div>
  );
}

function Waveform({ channels, share }: { channels: number[][]; share: number }) {
  const isStereo = channels.length === 2;
  const outlines = useMemo(
    () =>
      channels.map((peaks, index) =>
        isStereo ? outlineOf(peaks, 25 + index * 50, 23) : outlineOf(peaks, 50, 46),
      ),
    [channels, isStereo],
  );
  return (
    <>
      <div className="wave">
        <svg viewBox={`0 0 ${BUCKETS} 100`} preserveAspectRatio="none" aria-hidden="true">
          {isStereo && <line className="axis" x1="0" x2={BUCKETS} y1="50" y2="50" />}
          {outlines.map((outline, index) => (
            <path key={index} d={outline} className={isStereo ? CHANNELS[index] : 'agent'} />
          ))}
        </svg>
        <span className="played" style={{ insetInlineStart: `${Math.min(1, share) * 100}%` }} />
      </div>
      {isStereo && (
        <p className="legend">
          <span>
            <i className="user" />
            Person
          </span>
          <span>
            <i className="agent" />
            Agent
          </span>
        </p>
      )}
    </>
  );
}
