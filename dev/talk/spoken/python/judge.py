"""Reads speech from standard input (16-bit samples at 16 kHz, one channel) and prints its readings in lower case, one per line, the likeliest first."""

import itertools
import sys

from pocketsphinx import Decoder

decoder = Decoder(samprate=16000, loglevel="FATAL")
decoder.start_utt()
decoder.process_raw(sys.stdin.buffer.read(), full_utt=True)
decoder.end_utt()
best = decoder.hyp()
if best is not None:
    # A misheard word is often correct in a later reading. More than 20 readings only add short words.
    readings = [best.hypstr, *(one.hypstr for one in itertools.islice(decoder.nbest(), 20) if one is not None)]
    print("\n".join(dict.fromkeys(readings)))
