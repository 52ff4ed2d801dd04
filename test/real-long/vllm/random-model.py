"""Writes models of random weights, each with a tokenizer that is trained on the licences of Debian: random_model.py FOLDER..."""

import glob
import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

LAYERS, HIDDEN, CONTEXT = 2, 64, 32768

bpe = Tokenizer(models.BPE())
bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
bpe.decoder = decoders.ByteLevel()
alphabet = pre_tokenizers.ByteLevel.alphabet()
special = ["<s>", "</s>", "<pad>"]
trainer = trainers.BpeTrainer(
    vocab_size=1024, special_tokens=special, initial_alphabet=alphabet, show_progress=False
)
bpe.train(sorted(glob.glob("/usr/share/common-licenses/*")), trainer)
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=bpe, bos_token="<s>", eos_token="</s>", pad_token="<pad>"
)
tokenizer.chat_template = (
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"
)

for seed, folder in enumerate(sys.argv[1:]):
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=HIDDEN,
        intermediate_size=2 * HIDDEN,
        num_hidden_layers=LAYERS,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=HIDDEN // 2,
        max_position_embeddings=CONTEXT,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=2,
        tie_word_embeddings=False,
    )
    LlamaForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
