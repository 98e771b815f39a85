#![no_main]

hamcnf_fuzz::fuzzer!(models);
