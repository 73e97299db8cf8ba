// The sounds of the game, made here: browsers allow none before somebody has clicked or typed, so then there are none.

let audio;

/** A tone which fades away. */
function tone(pitch, start = 0, seconds = 0.25, volume = 0.2) {
  const source = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  sound(source, start, seconds, volume);
}

/** Something hard that falls on wood: noise without its high or low parts. */
function knock(pitch, start = 0, seconds = 0.06, volume = 0.6) {
  const buffer = new AudioBuffer({ length: audio.sampleRate * seconds, sampleRate: audio.sampleRate });
  buffer.copyToChannel(Float32Array.from(buffer.getChannelData(0), () => 2 * Math.random() - 1), 0);
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 2 });
  sound(new AudioBufferSourceNode(audio, { buffer }), start, seconds, volume, filter);
}

function sound(source, start, seconds, volume, filter = new GainNode(audio)) {
  const begin = audio.currentTime + start;
  const gain = new GainNode(audio, { gain: volume });
  gain.gain.setValueAtTime(volume, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(begin);
  source.stop(begin + seconds);
}

const SOUNDS = {
  checker: () => knock(900),
  hit: () => [0, 0.09].forEach((start) => knock(700, start)),
  off: () => knock(1200),
  dice: () => [0, 0.07, 0.16, 0.28].forEach((start) => knock(1800 + 900 * Math.random(), start)),
  cube: () => [330, 440].forEach((pitch, i) => tone(pitch, 0.15 * i, 0.4)),
  turn: () => [660, 880].forEach((pitch, i) => tone(pitch, 0.12 * i)),
  hurry: () => [0, 0.2, 0.4].forEach((start) => tone(990, start, 0.12)),
  end: () => [392, 494, 587, 784].forEach((pitch, i) => tone(pitch, 0.14 * i, 0.5)),
};

export async function play(name) {
  if (navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") await audio.resume();
  SOUNDS[name]();
}
