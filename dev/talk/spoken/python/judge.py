"""Reads speech from standard input (16-bit samples at 16 kHz, one channel) and prints what it hears, in lower case: a reading a line, the likeliest first."""

import itertools
import sys

from pocketsphinx import Decoder

decoder = Decoder(samprate=16000, loglevel="FATAL")
decoder.start_utt()
decoder.process_raw(sys.stdin.buffer.read(), full_utt=True)
decoder.end_utt()
best = decoder.hyp()
if best is not None:
    # A word that it misheard is often in the next reading. More than these add short words only.
    readings = [best.hypstr, *(one.hypstr for one in itertools.islice(decoder.nbest(), 20) if one is not None)]
    print("\n".join(dict.fromkeys(readings)))
